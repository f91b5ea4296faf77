import { failure, LlmFailureError } from "./failure.ts";

/**
 * Checks a key before it becomes a header: an invalid header value would be repeated in the error of `fetch`.
 * @throws LlmFailureError INVALID_CREDENTIAL, MISSING_CREDENTIAL
 */
export function checkKey(key: string | null, options: { required: boolean }): string | null {
  const text = key?.trim() ?? "";
  if (text === "") {
    if (!options.required) return null;
    throw new LlmFailureError(
      failure("MISSING_CREDENTIAL", "This model provider has no key. An administrator can add one in the provider settings."),
    );
  }
  if (!/^[\x21-\x7e]{1,4096}$/.test(text)) {
    throw new LlmFailureError(
      failure("INVALID_CREDENTIAL", "The key of this model provider contains characters a key cannot have. Enter it again."),
    );
  }
  return text;
}
