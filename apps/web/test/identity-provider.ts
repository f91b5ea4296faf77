import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after } from "node:test";
import Provider from "oidc-provider";

export type Identity = { sub: string; email?: string; email_verified?: boolean; name?: string };

/** A standards-conformant identity provider on loopback; whoever is in `people` may sign in, without a password. */
export async function startIdentityProvider(redirectUri: string, people: Map<string, Identity>) {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [{ client_id: "gantry", client_secret: "s".repeat(40), redirect_uris: [redirectUri], grant_types: ["authorization_code"] }],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
    pkce: { required: () => true },
    cookies: { keys: ["test"] },
    async findAccount(_ctx, id) {
      const person = people.get(id);
      return person && { accountId: id, claims: async () => ({ ...person }) };
    },
    features: { devInteractions: { enabled: true } },
  });
  server.on("request", provider.callback());
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { issuer, clientId: "gantry", clientSecret: "s".repeat(40) };
}
