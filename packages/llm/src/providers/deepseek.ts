import type { LlmAdapter } from "../adapter.ts";
import type { Credentials } from "../credentials.ts";
import type { ProviderConfig } from "../provider-config.ts";
import { chatCompletionsAdapter, deepSeekDialect } from "./openai-compatible.ts";

/** DeepSeek, or a gateway in front of it: chat completions with a switch for thinking (DSK-2), whatever the address. */
export const deepSeekAdapter = (config: ProviderConfig, credentials: Credentials): LlmAdapter =>
  chatCompletionsAdapter(config, credentials, deepSeekDialect);
