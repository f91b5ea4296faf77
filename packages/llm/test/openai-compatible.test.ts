import { openAiCompatibleAdapter } from "../src/providers/openai-compatible.ts";
import { key, providerSuite } from "./provider-suite.ts";

providerSuite("openai-compatible adapter", ({ baseUrl, idleTimeoutMs = 10_000, key: given = key }) =>
  openAiCompatibleAdapter(
    { providerId: "1", slug: "p", baseUrl, models: ["scripted"], allowInsecure: true, idleTimeoutMs },
    { resolve: async () => given },
  ),
);
