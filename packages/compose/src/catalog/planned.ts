import { anyConfig } from "./config-schema.ts";
import type { CatalogEntry, Plane } from "./entry.ts";

type Planned = readonly [name: string, description: string, ...provides: string[]];

/** Plugins that the profiles and presets name and that have no code in this release. The dump says so of each of their rows. */
const known: { readonly [P in Plane]: readonly Planned[] } = {
  host: [
    ["cordis-inspect", "Shows the agent the live plugins, services and effects of its root.", "cordisInspect"],
    ["file-reference", "Turns a named file into part of a message."],
    ["goal", "Keeps what a session is to reach over several turns.", "goals"],
    ["goal-round-driver", "Starts the next turn while a goal is not reached."],
    ["harness-dev-context", "Tells the agent about the Gantry it runs in, for work on Gantry itself."],
    ["jobs", "Keeps work that goes on in the background of a session.", "jobs"],
    ["mcp-resources", "Reads what MCP servers offer."],
    ["message-feedback", "Keeps what people think of an answer."],
    ["office-to-pdf", "Turns office documents into PDF for the preview."],
    ["plugin-manager", "Lets an approved agent switch optional plugins of its org.", "pluginManager"],
    ["ptc-runtime", "Runs programs that call tools, in the sandbox.", "ptcRuntime"],
    ["schedule", "Wakes a session at a set time.", "schedule"],
    ["session-reference", "Lets one session quote another."],
    ["shell-env", "Sets the environment of commands.", "shellEnv"],
    ["skill", "Keeps the skills that agents may read.", "skills"],
    ["subagent", "Lets agents start other agents.", "subagents"],
    ["subagent-fork", "Starts an agent as a copy of its parent."],
    ["subagent-model-selection", "Lets settings say which models child agents may use."],
    ["subagent-spawn", "Starts an agent with an empty log."],
    ["web", "Searches and fetches pages through the org's egress policy.", "web"],
    ["web-fetch", "Fetches pages for the web service."],
    ["web-search", "Searches the web with the org's key."],
    ["working-directory", "Keeps where in the workspace an agent works.", "workingDirectory"],
    ["workspace-changes", "Follows which files of a workspace a session changed."],
  ],
  preset: [
    ["command-goal", "The command /goal."],
    ["plan-mode", "Has the agent plan first and change nothing until a person agrees.", "planMode"],
    ["skill-filesystem", "Finds skills in the workspace."],
    ["terminal", "Keeps terminals that outlive a command.", "terminals"],
    ["terminal-bash", "Opens terminals with a shell in them."],
    ["tool-bash-persistent", "The tool bash on one shell that keeps its state."],
    ["tool-cordis", "Tools that look into the agent's own root and try plugins."],
    ["tool-goal", "Tools that set and report a goal."],
    ["tool-jobs", "Tools that follow and stop background work."],
    ["tool-mcp", "The tools of the org's MCP servers."],
    ["tool-plugin-manager", "The tool plugin_manager; each call needs an administrator's approval."],
    ["tool-plugin-market", "Tools that look for plugins in the org's registry."],
    ["tool-present", "The tool present: hands files over to people."],
    ["tool-presentation", "Offers the tools as functions of one program instead of one by one."],
    ["tool-pwsh", "The tool pwsh: runs a PowerShell command."],
    ["tool-pwsh-persistent", "The tool pwsh on one shell that keeps its state."],
    ["tool-schedule", "Tools that schedule work of the session."],
    ["tool-skill", "The tool skill: reads a skill when it is needed."],
    ["tool-subagent", "Tools that start child agents."],
    ["tool-subagent-control", "Tools that message, wait for and stop child agents."],
    ["tool-subagent-list-agents", "The tool that lists child agents."],
    ["tool-terminal", "Tools that write to and read from a terminal."],
    ["tool-web", "The tools web_search and web_fetch."],
    ["tool-workflow", "The tool workflow: runs a program of agents."],
    ["tool-working-directory", "Tools that change where the agent works."],
    ["workflow-ptc", "Runs workflows as programs in the sandbox.", "workflowEngine"],
  ],
};

/** A preset may have several rows of these, each set up another way. */
const several: ReadonlySet<string> = new Set(["skill-filesystem", "tool-mcp", "tool-subagent", "workflow-ptc"]);

const planned =
  (plane: Plane) =>
  ([name, description, ...provides]: Planned): CatalogEntry => ({
    name,
    package: "@gantry/agent",
    version: "0.1.0",
    description,
    provides,
    requires: [],
    config: anyConfig,
    planes: [plane],
    trust: "platform",
    planned: true,
    ...(several.has(name) ? { many: true as const } : {}),
  });

export const plannedEntries: readonly CatalogEntry[] = [...known.host.map(planned("host")), ...known.preset.map(planned("preset"))];
