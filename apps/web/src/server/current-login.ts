import type { Login } from "@gantry/services";
import { headers } from "next/headers";
import { readLogin } from "./auth/read-login.ts";

/** The login of the page that is being rendered; null for strangers. Pages only choose what to show by it: procedures check for themselves (SC-W8). */
export async function currentLogin(): Promise<Login | null> {
  return readLogin((await headers()).get("cookie"));
}
