import { anthropicAdapter } from "../src/providers/anthropic.ts";
import { key, providerSuite } from "./provider-suite.ts";

providerSuite("anthropic adapter", ({ baseUrl, idleTimeoutMs = 10_000, key: given = key }) =>
  anthropicAdapter(
    { providerId: "1", slug: "p", baseUrl, models: ["scripted"], allowInsecure: true, idleTimeoutMs },
    { resolve: async () => given },
  ),
);
