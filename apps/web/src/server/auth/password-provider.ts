import { isAppError } from "@gantry/contracts";
import { signInWithPassword } from "@gantry/services";
import type { CredentialsConfig } from "next-auth/providers/credentials";
import { clientAddress } from "../client-address.ts";
import { serviceDeps } from "../service-deps.ts";
import { signInWord } from "./sign-in-word.ts";

/** Sign-in by e-mail address and password (id `credentials`); it fails with the word of {@link signInWord}. */
export function passwordProvider(): CredentialsConfig {
  return {
    id: "credentials",
    name: "Password",
    type: "credentials",
    credentials: { email: {}, password: {} },
    async authorize(given, request) {
      const deps = serviceDeps();
      const headers = new Headers(request.headers as Record<string, string>);
      try {
        const { email, password } = given ?? {};
        const { userId, name, email: address, loginId } = await signInWithPassword(deps, { email, password }, clientAddress(headers));
        return { id: userId, name, email: address, loginId };
      } catch (error) {
        if (!isAppError(error)) deps.log.error({ err: error }, "sign-in failed");
        throw new Error(signInWord(error));
      }
    },
  };
}
