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
    orders?: { kind: string; host?: string; port?: number; base?: string }
    results?: { kind: string; bind?: string; port?: number; base?: string }
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

/**
 * Starts the laboratory at the other side of a connection: it listens where the connection sends
 * orders, and sends results where the connection listens, or shows them where it polls.
 * @throws CliError for a connection that leaves this machine, and for a taken port
 */
export async function startLaboratory(
  found: SandboxConnection,
  markers: readonly ListedMarker[],
  { scenario, pace, onEvent }: Wishes,
): Promise<WiredLaboratory> {
  const { startFhirLaboratory, startHl7Laboratory, toCompendium } = await import(
    '@salus/sandbox/wired-lab'
  )
  const { listen, sendTo } = findAddresses(found)
  const options = {
    listen,
    labSlug: found.lab,
    labName: found.lab,
    compendium: toCompendium(markers),
    scenario,
    paceSeconds: pace,
    now: () => new Date(),
    onEvent,
  }
  const zone = found.config.time_zone
  try {
    if (sendTo === null) return await startFhirLaboratory(options)
    return await startHl7Laboratory({ ...options, sendTo, zone })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    const message = `The laboratory cannot listen at ${listen.host}:${listen.port} (${code}).`
    throw new CliError(message, { cause: error })
  }
}

interface Address {
  host: string
  port: number
}

/** Every address of the loopback network, and its name. */
const LOOPBACK = /^(127(\.\d{1,3}){3}|::1|localhost)$/

/**
 * Returns where the laboratory listens, and where it sends results: null for a FHIR server, from
 * which Salus fetches them.
 */
function findAddresses({ name, config }: SandboxConnection): {
  listen: Address
  sendTo: Address | null
} {
  const { orders, results } = config
  const base = orders?.kind === 'fhir' ? URL.parse(orders.base ?? '') : null
  if (base !== null && results?.kind === 'fhir-poll' && results.base === orders?.base) {
    const isHere = base.protocol === 'http:' && LOOPBACK.test(base.hostname)
    const listen = { host: base.hostname, port: Number(base.port || 80) }
    if (isHere && base.pathname === '/fhir') return { listen, sendTo: null }
  }
  const listen = { host: orders?.host ?? '', port: orders?.port ?? 0 }
  const bind = results?.bind === '0.0.0.0' ? '127.0.0.1' : (results?.bind ?? '')
  const isMllp = orders?.kind === 'mllp' && results?.kind === 'mllp-listen'
  if (isMllp && LOOPBACK.test(listen.host) && LOOPBACK.test(bind)) {
    return { listen, sendTo: { host: bind, port: results.port ?? 0 } }
  }
  throw new CliError(
    `${name} is no connection of MLLP on loopback, and none to http://127.0.0.1:<port>/fhir.`,
  )
}
