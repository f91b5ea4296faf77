import { loadBrokerEnv, onShutdown } from "@gantry/platform";
import { startBroker } from "./broker.ts";

// The only process that may speak to the container engine.
const broker = await startBroker(loadBrokerEnv());
onShutdown("broker", () => broker.stop());
