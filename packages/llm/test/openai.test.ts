import { openAiAdapter } from "../src/providers/openai.ts";
import { key, providerSuite } from "./provider-suite.ts";

providerSuite("openai adapter, responses API", ({ baseUrl, idleTimeoutMs = 10_000, key: given = key }) =>
  openAiAdapter(
    { providerId: "1", slug: "p", baseUrl, models: ["scripted"], allowInsecure: true, idleTimeoutMs },
    { resolve: async () => given },
  ),
);
