import { UnreadableMessage } from '@salus/contracts/lab-gateway'
import type { OutboundAnswer } from '@salus/kernel/outbound/request'
import type { LabFetch } from '../../transports/http-auth.ts'
import { TransportError } from '../../transports/transport.ts'
import { type Json, objectOf, objectsOf, parseKeepingDigits, textOf } from '../json.ts'
import { relativeOf } from '../results/resources.ts'
import { FHIR_CONTENT_TYPE } from '../systems.ts'

/** More pages than this are no list of new reports. */
const MOST_PAGES = 10_000
/** Most resources that one report refers to. */
const MOST_RESOURCES = 2000
/** Elements of resources whose references belong to a report. */
const FOLLOWED: Readonly<Record<string, readonly string[]>> = {
  DiagnosticReport: ['subject', 'basedOn', 'specimen', 'performer', 'result'],
  Observation: ['hasMember', 'derivedFrom', 'specimen', 'performer'],
  ServiceRequest: ['requester'],
  Task: ['focus', 'basedOn', 'output'],
}

/** A FHIR server from which reports are read. */
export interface FhirSource {
  fetch: LabFetch
  /** Address of the server, without a slash at its end. */
  base: string
}

/** Fetches all pages of a search, each as its entries. @throws TransportError */
export async function* searchPages(source: FhirSource, search: string): AsyncGenerator<Json[]> {
  let next: string | null = `${source.base}/${search}`
  const seen = new Set<string>()
  while (next !== null) {
    if (seen.has(next) || seen.size === MOST_PAGES) throw new TransportError('endless_pages')
    seen.add(next)
    const page = await fetchJson(source, next)
    if (page === null || page.resourceType !== 'Bundle') throw new TransportError('no_bundle')
    yield objectsOf(page.entry)
    const link = objectsOf(page.link).find(({ relation }) => relation === 'next')
    next = link === undefined ? null : onServer(source, textOf(link.url))
  }
}

/**
 * Completes a report or a Task with what it refers to: from the resources that came with it, else
 * from the server. What the server does not have, or forbids, is left out.
 * @returns a Bundle of the type `collection`, with the same bytes for the same resources
 * @throws TransportError when the server has trouble
 */
export async function collectReport(
  source: FhirSource,
  report: Json,
  known: ReadonlyMap<string, Json>,
): Promise<Buffer> {
  const found = new Map<string, Json>()
  const waiting: Json[] = [report]
  const entry: object[] = []
  const documents: object[] = []
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const own = `${String(next.resourceType)}/${String(next.id)}`
    entry.push({ fullUrl: `${source.base}/${own}`, resource: next })
    if (next.resourceType === 'DiagnosticReport')
      documents.push(...(await fetchDocuments(source, next)))
    for (const reference of referencesOf(next)) {
      const relative = relativeOf(reference)
      const isHere = relative !== null && isOwn(source, reference, relative)
      if (!isHere || found.has(relative) || relative === own) continue
      if (found.size === MOST_RESOURCES) throw new TransportError('too_many_resources')
      const resource =
        known.get(relative) ??
        (await unlessForbidden(fetchJson(source, `${source.base}/${relative}`)))
      found.set(relative, resource ?? {})
      if (resource !== null) waiting.push(resource)
    }
  }
  const bundle = { resourceType: 'Bundle', type: 'collection', entry: [...entry, ...documents] }
  return Buffer.from(JSON.stringify(bundle), 'utf8')
}

function referencesOf(resource: Json): string[] {
  const elements = FOLLOWED[String(resource.resourceType)] ?? []
  return (
    elements
      .flatMap((name) => objectsOf(resource[name]))
      // A Task names its reports as values of its outputs.
      .flatMap((each) => textOf(each.reference ?? objectOf(each.valueReference).reference) ?? [])
  )
}

const isOwn = ({ base }: FhirSource, reference: string, relative: string): boolean =>
  reference.startsWith(`${base}/`) || reference.replace(/\/_history\/.*$/, '') === relative

/** Documents that a report names by their address, where it is on the same server. */
async function fetchDocuments(source: FhirSource, report: Json): Promise<object[]> {
  const entries: object[] = []
  for (const { url, data, contentType } of objectsOf(report.presentedForm)) {
    const given = textOf(url)
    if (given === null || textOf(data) !== null) continue
    const address = given.includes(':') ? given : `${source.base}/${given}`
    if (!address.startsWith(`${source.base}/`)) continue
    // With this header a Binary comes as its own bytes.
    const accept = textOf(contentType) ?? '*/*'
    const answer = await unlessForbidden(source.fetch({ url: address, headers: { accept } }))
    if (answer?.status !== 200) continue
    const content = dataOf(answer)
    const resource = { resourceType: 'Binary', contentType: accept, data: content }
    entries.push({ fullUrl: given, resource })
  }
  return entries
}

/** The data of a Binary in base64: as a resource, or as its own bytes. */
function dataOf(answer: OutboundAnswer): string {
  const bytes = answer.bytes()
  if (!answer.header('content-type')?.includes('json')) return bytes.toString('base64')
  try {
    return textOf(objectOf(answer.json()).data) ?? ''
  } catch {
    // It is no resource, so its bytes are kept as they are.
    return bytes.toString('base64')
  }
}

/** One resource that this client may not read must not hold up all reports. */
async function unlessForbidden<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof TransportError && error.code === 'http_403') return null
    throw error
  }
}

/** Returns an address of the server. @throws TransportError for one of another server */
function onServer({ base }: FhirSource, address: string | null): string {
  const url = address === null ? null : URL.parse(address, `${base}/`)
  if (url === null || url.origin !== new URL(base).origin) throw new TransportError('foreign_page')
  return url.href
}

/** Fetches a resource; null when the server does not have it. @throws TransportError */
async function fetchJson({ fetch }: FhirSource, url: string): Promise<Json | null> {
  const answer = await fetch({ url, headers: { accept: FHIR_CONTENT_TYPE } })
  if (answer.status === 404 || answer.status === 410) return null
  if (answer.status !== 200) throw new TransportError(`http_${answer.status}`)
  try {
    return objectOf(parseKeepingDigits(answer.bytes()))
  } catch (cause) {
    if (!(cause instanceof UnreadableMessage)) throw cause
    throw new TransportError('not_json', { cause })
  }
}
