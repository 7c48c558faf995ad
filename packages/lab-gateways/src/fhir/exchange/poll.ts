import type { ConnectionStore, ResultTransport } from '@salus/contracts/lab-gateway'
import type { Log } from '@salus/kernel/log'
import type { Receive, Receiver } from '../../transports/transport.ts'
import { TransportError } from '../../transports/transport.ts'
import { type Json, objectOf, textOf } from '../json.ts'
import { collectReport, type FhirSource, searchPages } from './search-reports.ts'

const EVERY_SECONDS = 300
const OVERLAP_SECONDS = 120
/** The first search has everything that the server shows to this client. */
const BEGINNING = '1970-01-01T00:00:00.000Z'
const SEARCH =
  'DiagnosticReport?_lastUpdated=ge{since}&_sort=_lastUpdated&_include=DiagnosticReport:result'

type Search = Pick<Extract<ResultTransport, { kind: 'fhir-poll' }>, 'search' | 'overlap_seconds'>
interface SearchParts {
  source: FhirSource
  store: ConnectionStore
}

/**
 * Returns a function that reads from a FHIR server which reports are new or changed. The position
 * is the newest `meta.lastUpdated` that the server gave, and each search overlaps the one before:
 * servers make a report visible after the time in it. The inbox drops what is the same as before.
 * A search of Tasks takes these with their reports.
 */
export function createFhirSearch(
  { search = SEARCH, overlap_seconds: overlap = OVERLAP_SECONDS }: Search,
  { source, store }: SearchParts,
): (receive: Receive, isClosed?: () => boolean) => Promise<void> {
  const type = search.split('?')[0] ?? ''
  /** Versions that the last search had: the overlap has them again, and they are not fetched. */
  let taken: ReadonlySet<string> = new Set()
  return async (receive, isClosed = () => false) => {
    const position = await store.readPosition()
    const since = earlier(position ?? BEGINNING, overlap)
    const wanted = search.replaceAll('{since}', encodeURIComponent(since))
    const { known, reports } = await searchReports(source, wanted, type)
    let newest: string | null = null
    for (const report of reports) {
      // What was not taken to its end is searched again.
      if (isClosed()) return
      if (!taken.has(versionOf(report))) {
        await receive(await collectReport(source, report, known))
      }
      const updated = textOf(objectOf(report.meta).lastUpdated)
      if (updated !== null && isLater(updated, newest)) newest = updated
    }
    taken = new Set(reports.map(versionOf))
    if (newest !== null && isLater(newest, position)) await store.writePosition(newest)
  }
}

/** Polls a FHIR server for reports that are new or changed. */
export function createFhirPoller(
  options: Extract<ResultTransport, { kind: 'fhir-poll' }>,
  { log, ...parts }: SearchParts & { log: Log },
): Receiver {
  const { every_seconds: seconds = EVERY_SECONDS } = options
  const pollOnce = createFhirSearch(options, parts)
  let timer: NodeJS.Timeout | undefined
  let polling = Promise.resolve()
  let isClosed = false
  const poll = async (receive: Receive): Promise<void> => {
    try {
      await pollOnce(receive, () => isClosed)
    } catch (error) {
      const reason = error instanceof TransportError ? error.code : 'poll_failed'
      log.warn({ reason }, 'results of a laboratory could not be fetched')
    }
    if (!isClosed) timer = setTimeout(() => start(receive), seconds * 1000)
  }
  const start = (receive: Receive): void => {
    polling = poll(receive)
  }
  return {
    async open(receive) {
      isClosed = false
      start(receive)
    },
    async close() {
      isClosed = true
      clearTimeout(timer)
      await polling
    },
    check: () => checkFhirServer(parts.source),
  }
}

interface FoundReports {
  /** Everything that came with the search, by `Type/id`. */
  known: Map<string, Json>
  reports: Json[]
}

async function searchReports(
  source: FhirSource,
  search: string,
  type: string,
): Promise<FoundReports> {
  const known = new Map<string, Json>()
  const reports: Json[] = []
  for await (const entries of searchPages(source, search)) {
    for (const entry of entries) {
      const resource = objectOf(entry.resource)
      if (textOf(resource.id) === null) continue
      known.set(`${String(resource.resourceType)}/${String(resource.id)}`, resource)
      if (resource.resourceType === type) reports.push(resource)
    }
  }
  return { known, reports }
}

const versionOf = ({ id, meta }: Json): string => {
  const { versionId, lastUpdated } = objectOf(meta)
  return JSON.stringify([id, versionId, lastUpdated])
}

function isLater(time: string, other: string | null): boolean {
  const milliseconds = Date.parse(time)
  return Number.isFinite(milliseconds) && (other === null || milliseconds > Date.parse(other))
}

function earlier(time: string, seconds: number): string {
  const milliseconds = Date.parse(time)
  return new Date(Math.max(0, milliseconds - seconds * 1000)).toISOString()
}

/** Tries a FHIR server: its statement, with the sign-in. @throws TransportError */
export async function checkFhirServer({ fetch, base }: FhirSource): Promise<void> {
  const { status } = await fetch({ url: `${base}/metadata` })
  if (status !== 200) throw new TransportError(`http_${status}`)
}
