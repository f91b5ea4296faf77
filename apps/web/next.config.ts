import { resolve } from "node:path";
import type { NextConfig } from "next";

const root = resolve(import.meta.dirname, "../..");

const config: NextConfig = {
  output: "standalone",
  outputFileTracingRoot: root,
  turbopack: { root },
  transpilePackages: [
    "@gantry/api",
    "@gantry/contracts",
    "@gantry/db",
    "@gantry/feed",
    "@gantry/llm",
    "@gantry/platform",
    "@gantry/queue",
    "@gantry/services",
    "@gantry/tools",
  ],
  serverExternalPackages: ["bullmq", "ioredis", "pg", "pino", "sharp"],
  // types are one of the checks, over the whole repository at once
  typescript: { ignoreBuildErrors: true },
  poweredByHeader: false,
  reactStrictMode: true,
  devIndicators: false,
};

export default config;
