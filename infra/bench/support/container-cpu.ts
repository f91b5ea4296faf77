import Docker from "dockerode";

const docker = new Docker();

/** CPU that all processes of a world have used so far, in milliseconds. */
export async function containerCpuMs(worldId: string): Promise<number> {
  const stats = await docker.getContainer(`gantry-${worldId}`).stats({ stream: false, "one-shot": true });
  return stats.cpu_stats.cpu_usage.total_usage / 1e6;
}
