import { loadEnv, newId } from "@gantry/platform";
import { hashPassword } from "@gantry/services/account/password";
import { factories } from "@gantry/testing/db-factories";

const password = "correct horse battery staple";

/** A signed-in owner of an organisation with one provider at `modelUrl`, as a browser would come: over HTTP, with a cookie. */
export async function signedInPerson(modelUrl: string) {
  const { userId, email } = await factories.createUser({ passwordHash: await hashPassword(password) });
  const org = await factories.createOrg({ userId, slug: `bench-${newId().slice(-12)}` });
  await factories.createProvider(org.orgId, { slug: "model", kind: "openai_compatible", baseUrl: modelUrl, models: ["bench"] });
  const cookie = await signIn(email);
  const newWorkspace = () => factories.createWorkspace(org.orgId, { createdBy: userId });
  const newSession = (workspaceId: Awaited<ReturnType<typeof newWorkspace>>["workspaceId"]) =>
    factories.createSession(org.orgId, { workspaceId, createdBy: userId, provider: "model", model: "bench" });
  return { ...org, userId, cookie, newWorkspace, newSession };
}

export type Person = Awaited<ReturnType<typeof signedInPerson>>;

async function signIn(email: string): Promise<string> {
  const base = loadEnv().NEXTAUTH_URL;
  const jar = new Map<string, string>();
  const cookies = () => [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
  const keep = (response: Response) => {
    for (const line of response.headers.getSetCookie()) {
      const pair = line.split(";")[0] ?? "";
      jar.set(pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1));
    }
    return response;
  };
  const { csrfToken } = (await keep(await fetch(`${base}/api/auth/csrf`)).json()) as { csrfToken: string };
  const form = new URLSearchParams({ email, password, csrfToken, json: "true" });
  const response = keep(
    await fetch(`${base}/api/auth/callback/credentials`, {
      method: "POST",
      body: form,
      redirect: "manual",
      headers: { cookie: cookies(), origin: base },
    }),
  );
  if (![...jar.keys()].some((name) => name.endsWith("gantry.session"))) throw new Error(`sign-in failed: ${response.status}`);
  return cookies();
}
