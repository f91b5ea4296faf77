// Who may import whom (docs/architecture): arrows point down, one owner for each outside library, no cycles.

/** What each part may import besides itself. Tests may also use @gantry/testing. */
const arrows = {
  contracts: [],
  kernel: ["contracts"],
  compose: ["contracts"],
  platform: ["contracts"],
  db: ["contracts", "platform"],
  queue: ["contracts", "platform"],
  feed: ["contracts", "platform"],
  llm: ["contracts", "kernel", "platform"],
  sandbox: ["contracts", "kernel", "platform"],
  tools: ["contracts", "kernel", "platform", "sandbox"],
  agent: ["contracts", "kernel", "compose", "platform", "db", "queue", "feed", "llm", "sandbox", "tools"],
  services: ["contracts", "compose", "platform", "db", "queue", "feed"],
  api: ["contracts", "platform", "services"],
  testing: ["contracts", "platform", "db", "queue", "feed", "services"],
};

/** An outside library and the only places that may import it. */
const owners = [
  { library: "(@prisma/|prisma$|pg$)", places: "^(packages/db/|prisma\\.config\\.ts|infra/scripts/)" },
  { library: "bullmq", places: "^packages/queue/" },
  { library: "ioredis", places: "^packages/(platform|queue)/" },
  { library: "dockerode", places: "^packages/sandbox/src/broker/" },
  { library: "(ai$|@ai-sdk/)", places: "^packages/llm/" },
  { library: "@deepseek-ai/cordis", places: "^packages/kernel/" },
  { library: "sharp$", places: "^packages/platform/src/images/" },
  { library: "yaml$", places: "^packages/compose/" },
];

const arrowRules = Object.entries(arrows).map(([part, below]) => ({
  name: `arrows-of-${part}`,
  comment: `packages/${part} may import ${below.length > 0 ? below.join(", ") : "no other package"}.`,
  severity: "error",
  from: { path: `^packages/${part}/src/` },
  to: { path: "^(packages|apps)/", pathNot: `^packages/(${[part, ...below].join("|")})/` },
}));

const ownerRules = owners.map(({ library, places }) => ({
  name: `owner-of-${library.replace(/[^a-z]+/g, "-").replace(/^-|-$/g, "")}`,
  comment: "One package wraps this library; import that package.",
  severity: "error",
  from: { pathNot: `(${places})|/test/` },
  to: { path: `(^|/)node_modules/${library.replaceAll("$", "/")}` },
}));

module.exports = {
  forbidden: [
    ...arrowRules,
    ...ownerRules,
    {
      name: "no-cycle",
      comment: "Two files that need each other are one subject, or a third one is hidden in them.",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    {
      name: "web-loads-no-loop",
      comment: "The web process serves people: no loop, no tool body, no model but the one call that checks a key.",
      severity: "error",
      from: { path: "^apps/web/" },
      to: { path: "^packages/(agent|kernel|llm|sandbox)/", pathNot: "^packages/llm/src/check" },
    },
    {
      name: "browser-code",
      comment: "Code that reaches the browser uses contracts, the presenters of tools, and types of api.",
      severity: "error",
      from: { path: "^apps/web/src/(features|ui|lib|trpc)/", pathNot: "\\.server\\.tsx?$" },
      to: { path: "^packages/", pathNot: "^packages/(contracts/|tools/src/present)", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "apps-apart",
      comment: "Web and worker meet in packages only.",
      severity: "error",
      from: { path: "^apps/(web|worker)/" },
      to: { path: "^apps/", pathNot: "^apps/$1/" },
    },
    {
      name: "not-declared",
      comment: "An import that package.json does not name works by accident.",
      severity: "error",
      from: { path: "^(packages|apps)/" },
      to: { dependencyTypes: ["npm-no-pkg", "npm-unknown"] },
    },
    { name: "not-there", comment: "The imported file does not exist.", severity: "error", from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    tsPreCompilationDeps: true,
    combinedDependencies: true,
    doNotFollow: { path: "node_modules" },
    exclude: { path: "(/\\.next/|/generated/|/dist/|next-env\\.d\\.ts$)" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default", "types"],
      extensions: [".ts", ".tsx", ".mjs", ".js"],
    },
  },
};
