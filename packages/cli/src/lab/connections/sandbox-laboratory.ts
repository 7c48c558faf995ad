import type { LabEvent, ListedMarker, Scenario, WiredLaboratory } from '@salus/sandbox/wired-lab'
import { callApi } from '../../connection/api-client.ts'
import type { Connection } from '../../connection/config.ts'
import { CliError } from '../../terminal/cli-error.ts'

/** A stored connection, as far as its other side needs it. */
export interface SandboxConnection {
  name: string
  lab: string
  config: {
    profile: string
    time_zone: string
    orders?: { kind: string; host?: string; port?: number }
    results?: { kind: string; bind?: string; port?: number }
  }
}

/** Lists all tests of a laboratory that can be ordered, with the results that it reports. */
export async function listMarkers(connection: Connection, lab: string): Promise<ListedMarker[]> {
  const markers: ListedMarker[] = []
  for (let page = 1, pages = 1; page <= pages; page++) {
    const answer = await callApi<{ markers: ListedMarker[]; pages: number }>(
      connection,
      'GET',
      '/v3/lab_tests/markers',
      { query: { lab_slug: lab, page, size: 100 } },
    )
    markers.push(...answer.markers)
    pages = answer.pages
  }
  if (markers.length > 0) return markers
  throw new CliError(`The catalog has no tests of ${lab}.`)
}

/** Reads the steps of an option or a line. @throws CliError for an unknown word */
export async function readSteps(text: string): Promise<Scenario> {
  const { readScenario, UnknownWordError } = await import('@salus/sandbox/wired-lab')
  try {
    return readScenario(text)
  } catch (error) {
    if (error instanceof UnknownWordError) throw new CliError(error.message, { cause: error })
    throw error
  }
}

interface Wishes {
  scenario: Scenario
  /** Seconds between the messages about an order. */
  pace: number
  onEvent: (event: LabEvent) => void
}

/** Every address of the loopback network, and its name. */
const LOOPBACK = /^(127(\.\d{1,3}){3}|::1|localhost)$/

/**
 * Starts the laboratory at the other side of a connection: it listens where the connection sends
 * orders, and sends results where the connection listens.
 * @throws CliError for a connection that leaves this machine, and for a taken port
 */
export async function startLaboratory(
  { lab, name, config }: SandboxConnection,
  markers: readonly ListedMarker[],
  { scenario, pace, onEvent }: Wishes,
): Promise<WiredLaboratory> {
  const { startHl7Laboratory, toCompendium } = await import('@salus/sandbox/wired-lab')
  const { orders, results, time_zone: zone } = config
  const isMllp = orders?.kind === 'mllp' && results?.kind === 'mllp-listen'
  const [takes, sends] = [orders?.host ?? '', results?.bind ?? '']
  if (!isMllp || !LOOPBACK.test(takes) || !(LOOPBACK.test(sends) || sends === '0.0.0.0')) {
    throw new CliError(`${name} does not use MLLP on loopback, in both directions.`)
  }
  try {
    return await startHl7Laboratory({
      listen: { host: takes, port: orders.port ?? 0 },
      sendTo: { host: sends === '0.0.0.0' ? '127.0.0.1' : sends, port: results.port ?? 0 },
      labSlug: lab,
      labName: lab,
      zone,
      compendium: toCompendium(markers),
      scenario,
      paceSeconds: pace,
      now: () => new Date(),
      onEvent,
    })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    const message = `The laboratory cannot listen at ${takes}:${orders.port} (${code}).`
    throw new CliError(message, { cause: error })
  }
}
