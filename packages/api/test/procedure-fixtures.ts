import { randomUUID } from "node:crypto";
import { presetFixtures } from "./preset-fixtures.ts";
import { promptFixtures } from "./prompt-fixtures.ts";

/** Everything of one tenant that an input can name. */
export type Target = {
  readonly org: string;
  readonly workspaceId: string;
  readonly sessionId: string;
  readonly providerSlug: string;
  readonly presetSlug: string;
  readonly loginId: string;
};

export type ProcedureFixture = {
  readonly access: "public" | "user" | "org";
  /** a good input that names the target's things */
  readonly input: (target: Target) => Record<string, unknown> | undefined;
  /** the input names things inside the organisation, which could be another one's */
  readonly namesIds: boolean;
  /** every key of the answer, nested ones with dots and list items under `*` (SC-T7); a stream's answer is not compared */
  readonly outputKeys: readonly string[] | "stream";
  /** answers below these keys are data whose keys its writer chose; they are not compared */
  readonly dataUnder?: readonly string[];
  /** a query that leaves an audit row, as a mutation does (D-7) */
  readonly isAudited?: true;
  /** a mutation that changes nothing: its input is a text too long for an address */
  readonly isDryRun?: true;
};

/** The answer in a prepared session, and the version of what was said about it. */
export const answerId = "answer-1";
export const feedbackVersion = randomUUID();

const session = (target: Target) => ({ org: target.org, sessionId: target.sessionId });
const keyed = (target: Target) => ({ ...session(target), clientKey: randomUUID() });
const workspace = (target: Target) => ({ org: target.org, workspaceId: target.workspaceId });

const composition = ({ org }: Target) => ({ org, profile: "web" });
const change = (target: Target, expectedRevision = 0) => ({ ...composition(target), expectedRevision, reason: "trying" });

const workspaceKeys = ["createdAt", "createdBy", "id", "name", "problem", "sessionCount", "source", "source.kind", "state"];
const sessionKeys = [
  "createdAt",
  "createdBy",
  "id",
  "lastActivityAt",
  "model",
  "parentId",
  "problem",
  "provider",
  "status",
  "title",
  "workspaceId",
  "workspaceName",
];
const providerKeys = ["baseUrl", "hasKey", "id", "kind", "models", "name", "slug", "updatedAt"];
const bundleKeys = ["description", "isEntitled", "isOn", "isOptional", "name", "overrides", "rows", "title", "version"];
const pluginRowKeys = [
  "description",
  "id",
  "isLocked",
  "isManagement",
  "name",
  "origin",
  "patchedBy",
  "provides",
  "reasons",
  "requires",
  "state",
  "waitingFor",
];
const catalogueKeys = ["description", "isLocked", "isPlanned", "name", "package", "planes", "provides", "requires", "version"];
const operationKeys = ["affectedPresets", "applied", "code", "message", "revision", "saved", "stage", "target", "warnings"];
const dumpKeys = ["catalogVersion", "facts", "hash", "problems", "profile", "rows", "warnings"];
const inList = (keys: readonly string[], list = "") => [list, ...keys.map((key) => `${list}*.${key}`)].filter((key) => key !== "");
/** The keys of a list of objects in the member `list`. */
const under = (list: string, keys: readonly string[]) => [list, ...keys.map((key) => `${list}.*.${key}`)];

/** One entry for every procedure; the walk fails for a procedure that is missing here (SC-T1). */
export const procedureFixtures: Readonly<Record<string, ProcedureFixture>> = {
  "account.signUp": {
    access: "public",
    input: () => ({ name: "Eve", email: `${randomUUID()}@example.test`, password: "correct horse", orgName: "Eve & Co" }),
    namesIds: false,
    outputKeys: ["org"],
  },
  "account.oidc": { access: "public", input: () => undefined, namesIds: false, outputKeys: ["enabled", "name", "signUpOpen"] },
  "me.get": {
    access: "user",
    input: () => undefined,
    namesIds: false,
    outputKeys: ["orgs", "orgs.*.id", "orgs.*.name", "orgs.*.role", "orgs.*.slug", "user", "user.email", "user.id", "user.name"],
  },
  "me.logins": {
    access: "user",
    input: () => undefined,
    namesIds: false,
    outputKeys: ["*.createdAt", "*.expiresAt", "*.id", "*.isCurrent", "*.lastSeenAt"],
  },
  "me.revokeLogin": { access: "user", input: ({ loginId }) => ({ loginId }), namesIds: true, outputKeys: ["loginId"] },
  "me.revokeAllLogins": { access: "user", input: () => undefined, namesIds: false, outputKeys: ["revoked"] },
  "workspace.list": {
    access: "org",
    input: ({ org }) => ({ org }),
    namesIds: false,
    outputKeys: ["items", ...workspaceKeys.map((key) => `items.*.${key}`), "nextCursor"],
  },
  "workspace.get": { access: "org", input: workspace, namesIds: true, outputKeys: workspaceKeys },
  "workspace.create": {
    access: "org",
    input: ({ org }) => ({ org, name: `w ${randomUUID()}`, source: { kind: "empty" } }),
    namesIds: false,
    outputKeys: ["workspaceId"],
  },
  "workspace.remove": { access: "org", input: workspace, namesIds: true, outputKeys: ["workspaceId"] },
  "workspace.retryImport": { access: "org", input: workspace, namesIds: true, outputKeys: [...workspaceKeys, "source.url"] },
  "session.list": {
    access: "org",
    input: workspace,
    namesIds: true,
    outputKeys: ["items", ...sessionKeys.map((key) => `items.*.${key}`), "nextCursor"],
  },
  "session.agent": { access: "org", input: session, namesIds: true, outputKeys: [] },
  "session.get": {
    access: "org",
    input: session,
    namesIds: true,
    outputKeys: [
      ...[...sessionKeys, "eventCount", "permission", "preset", "presetId", "presetRevision", "seedLength", "waiting", "wakeAt"],
      ...["isCurrent", "name", "revision", "slug"].map((key) => `preset.${key}`),
    ].sort(),
  },
  "session.events": { access: "org", input: session, namesIds: true, outputKeys: ["events", "hasMore"] },
  "session.search": {
    access: "org",
    input: (target) => ({ ...workspace(target), query: "hello" }),
    namesIds: true,
    outputKeys: ["isComplete", "items", "nextCursor"],
  },
  "session.projections": {
    access: "org",
    input: session,
    namesIds: true,
    outputKeys: [
      ...["asOfSeq", "context", "contextBreakdown", "cost", "outline", "permissions", "presetSelected", "stats", "title", "todos", "usage"],
      ...["contextWindow", "promptTokens"].map((key) => `context.${key}`),
      ...["isComplete", "listCostUsd", "pricesAsOf"].map((key) => `cost.${key}`),
      ...["hasMore", "turns"].map((key) => `outline.${key}`),
      ...["mode", "policy", "preset"].map((key) => `permissions.${key}`),
      ...["decodeMs", "decodeTokens", "llmMs", "steps", "toolMs", "ttftMs", "ttftSteps", "turns"].map((key) => `stats.${key}`),
    ].sort(),
  },
  "session.stream": { access: "org", input: session, namesIds: true, outputKeys: "stream" },
  "session.create": {
    access: "org",
    input: (target) => ({ ...workspace(target), prompt: "hello", clientKey: randomUUID() }),
    namesIds: true,
    outputKeys: ["sessionId"],
  },
  "session.fork": { access: "org", input: keyed, namesIds: true, outputKeys: ["sessionId"] },
  "session.send": {
    access: "org",
    input: (target) => ({ ...keyed(target), text: "hello", target: "next-turn" }),
    namesIds: true,
    outputKeys: ["commandId", "messageId"],
  },
  "session.cancel": { access: "org", input: keyed, namesIds: true, outputKeys: ["commandId"] },
  "session.queue": {
    access: "org",
    input: (target) => ({ ...keyed(target), messageId: "message-1", change: { kind: "remove" } }),
    namesIds: true,
    outputKeys: ["commandId"],
  },
  "session.command": {
    access: "org",
    input: (target) => ({ ...keyed(target), text: "/compact" }),
    namesIds: true,
    outputKeys: ["commandId", "runId"],
  },
  "session.rename": { access: "org", input: (target) => ({ ...keyed(target), title: "New" }), namesIds: true, outputKeys: ["commandId"] },
  "feedback.list": { access: "org", input: session, namesIds: true, outputKeys: [] },
  "feedback.put": {
    access: "org",
    input: (target) => ({ ...session(target), messageId: answerId, rating: "positive", ifVersion: null }),
    namesIds: true,
    outputKeys: ["createdAt", "messageId", "note", "rating", "updatedAt", "version"],
  },
  "feedback.delete": {
    access: "org",
    input: (target) => ({ ...session(target), messageId: answerId, ifVersion: feedbackVersion }),
    namesIds: true,
    outputKeys: ["messageId"],
  },
  "provider.list": { access: "org", input: ({ org }) => ({ org }), namesIds: false, outputKeys: inList(providerKeys) },
  "provider.save": {
    access: "org",
    input: ({ org }) => ({ org, slug: "fresh", name: "Fresh", kind: "demo", baseUrl: "", models: ["scripted"] }),
    namesIds: false,
    outputKeys: providerKeys,
  },
  "provider.remove": {
    access: "org",
    input: ({ org, providerSlug }) => ({ org, slug: providerSlug }),
    namesIds: true,
    outputKeys: ["slug"],
  },
  ...presetFixtures,
  ...promptFixtures,
  "composition.get": {
    access: "org",
    input: composition,
    namesIds: false,
    outputKeys: ["dump", ...dumpKeys.map((key) => `dump.${key}`), "notStarted", "problems", "revision", "text", "warnings"],
    dataUnder: ["dump.facts", "dump.rows"],
    isAudited: true,
  },
  "composition.layer": {
    access: "org",
    input: composition,
    namesIds: false,
    outputKeys: ["bundles", "revision", "revisions", "source"],
    isAudited: true,
  },
  "composition.check": {
    access: "org",
    input: (target) => ({ ...composition(target), source: "- {id: llm-retry, disabled: true}" }),
    namesIds: false,
    outputKeys: ["affectedPresets", "problems", "warnings", ...under("diff", ["by", "field", "from", "id", "kind", "to"])],
  },
  "composition.diff": {
    access: "org",
    input: (target) => ({ ...composition(target), from: 0, to: 0 }),
    namesIds: false,
    outputKeys: [],
    isAudited: true,
  },
  "composition.save": {
    access: "org",
    input: (target) => ({ ...change(target), source: "- {id: llm-retry, disabled: true}" }),
    namesIds: false,
    outputKeys: ["affectedPresets", "problems", "revision"],
  },
  "composition.rollBack": {
    access: "org",
    input: (target) => ({ ...change(target, 1), revision: 0 }),
    namesIds: false,
    outputKeys: ["affectedPresets", "problems", "revision"],
  },
  "plugin.list": {
    access: "org",
    input: composition,
    namesIds: false,
    outputKeys: [...under("bundles", bundleKeys), ...under("catalogue", catalogueKeys), ...under("rows", pluginRowKeys), "revision"],
  },
  "plugin.inspect": {
    access: "org",
    input: (target) => ({ ...composition(target), spec: "dry-run" }),
    namesIds: false,
    outputKeys: ["answer", "bundle", ...bundleKeys.map((key) => `bundle.${key}`)],
  },
  "plugin.setEnabled": {
    access: "org",
    input: (target) => ({ ...change(target), row: "llm-retry", name: "llm-retry", enabled: false }),
    namesIds: false,
    outputKeys: operationKeys,
  },
  "plugin.setBundle": {
    access: "org",
    input: (target) => ({ ...change(target), bundle: "dry-run", on: true }),
    namesIds: false,
    outputKeys: operationKeys,
  },
  "plugin.install": {
    access: "org",
    input: (target) => ({ ...change(target), spec: "dry-run", requestId: randomUUID() }),
    namesIds: false,
    outputKeys: operationKeys,
  },
  "plugin.cancel": {
    access: "org",
    input: (target) => ({ ...composition(target), requestId: randomUUID() }),
    namesIds: false,
    outputKeys: ["answer"],
  },
  "plugin.remove": {
    access: "org",
    input: (target) => ({ ...change(target, 1), bundle: "dry-run" }),
    namesIds: false,
    outputKeys: [...operationKeys, "remains"],
  },
  "system.status": {
    access: "org",
    input: ({ org }) => ({ org }),
    namesIds: false,
    outputKeys: ["installation", "isQueueUp", "uploadMaxMb"],
  },
};
