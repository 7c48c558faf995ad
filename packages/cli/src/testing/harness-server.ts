import { writeKeysFile } from '../../../server/src/keys-file.ts'
import { createHarness, type Harness } from '../../../server/test/harness.ts'
import { RunningClock } from '../../../server/test/running-clock.ts'
import type { CommandServer } from './salus-command.ts'

export interface HarnessServer extends CommandServer {
  harness: Harness
}

/**
 * The whole application at an address, in the process of the tests: a start takes a tenth of that
 * of a server of its own. For commands that go through HTTP; those that reach into stores need a
 * server that owns its data directory.
 */
export async function startHarnessServer(
  settings: Parameters<typeof createHarness>[0] = {},
  options: Parameters<typeof createHarness>[1] = {},
): Promise<HarnessServer> {
  const harness = await createHarness(settings, { clock: new RunningClock(), ...options })
  const { app, config, apiKey, managementKey, organizationId, teamId } = harness
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  writeKeysFile(config.dataDirectory, { apiKey, managementKey, organizationId, teamId })
  return {
    harness,
    url,
    dataDirectory: config.dataDirectory,
    keys: {
      api_key: apiKey,
      management_key: managementKey,
      organization_id: organizationId,
      team_id: teamId,
    },
    async stop() {
      // The server would wait for connections that clients keep.
      const timer = setInterval(() => app.server.closeAllConnections(), 20)
      await harness.close()
      clearInterval(timer)
    },
  }
}
