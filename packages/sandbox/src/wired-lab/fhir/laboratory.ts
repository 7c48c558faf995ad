import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { findTests, type LaboratoryOptions, type WiredLaboratory } from '../laboratory-options.ts'
import { OrderBook, type TakenOrder } from '../life/order-book.ts'
import { OrderLife } from '../life/order-life.ts'
import type { Step } from '../life/scenario.ts'
import { type Json, objectOf, objectsOf, textOf, toText } from './json.ts'
import { type FhirOrder, readFhirOrder, requisitionOf } from './received-order.ts'
import { cancelledReportOf, type ReportTarget, reportResources } from './report-resources.ts'
import { ResourceStore } from './resource-store.ts'

export interface FhirOptions extends LaboratoryOptions {
  /** Where it listens; port 0 is a free one. The server is at the path `/fhir`. */
  listen: { host: string; port: number }
}

/**
 * Starts a laboratory that is a FHIR R4 server: it takes orders as transactions or RequestGroups,
 * and shows reports to searches (docs/sandbox.md#a-laboratory-over-hl7).
 * @throws Error with the code of the system when it cannot listen
 */
export async function startFhirLaboratory(options: FhirOptions): Promise<WiredLaboratory> {
  const laboratory = new FhirLaboratory(options)
  const server = createServer((request, response) => void laboratory.serve(request, response))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.listen, resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    run: (number, steps) => laboratory.book.run(number, steps),
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
      await laboratory.book.stop()
    },
  }
}

interface Answer {
  status: number
  body: object
  location?: string
}

const BASE = '/fhir'

class FhirLaboratory {
  readonly book: OrderBook<FhirOrder>
  readonly #options: FhirOptions
  readonly #store: ResourceStore
  /** Paths of the requests of orders by local references, and of the patient. */
  readonly #paths = new Map<string, ReadonlyMap<string, string>>()

  constructor(options: FhirOptions) {
    this.#options = options
    this.#store = new ResourceStore(options.now)
    this.book = new OrderBook({ ...options, send: (taken, step) => this.#send(taken, step) })
    this.#store.put({ resourceType: 'Organization', id: 'laboratory', name: options.labName })
  }

  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const url = new URL(request.url ?? '/', 'http://laboratory')
    const body = Buffer.concat(chunks).toString('utf8')
    const answer = await (request.method === 'GET' ? this.#read(url) : this.#take(url, body))
    if (answer === null) {
      request.socket.destroy()
      return
    }
    const { status, location } = answer
    response.writeHead(status, {
      'content-type': 'application/fhir+json',
      ...(location !== undefined && { location }),
    })
    response.end(toText(answer.body))
  }

  #read({ pathname, searchParams }: URL): Answer {
    const path = pathname.slice(BASE.length + 1)
    if (path === 'metadata') return { status: 200, body: CAPABILITIES }
    if (path === 'DiagnosticReport') return { status: 200, body: this.#search(searchParams) }
    const found = this.#store.get(path)
    return found === undefined
      ? { status: 404, body: outcomeOf('not-found') }
      : { status: 200, body: found }
  }

  /** All reports that changed, with the Observations that they name. */
  #search(parameters: URLSearchParams): object {
    const since = Date.parse(parameters.get('_lastUpdated')?.replace(/^ge/, '') ?? '')
    const reports = this.#store.changedSince('DiagnosticReport', since)
    const included = reports
      .flatMap(({ result }) => objectsOf(result))
      .flatMap(({ reference }) => this.#store.get(textOf(reference)) ?? [])
    const entry = [
      ...reports.map((resource) => ({ resource, search: { mode: 'match' } })),
      ...included.map((resource) => ({ resource, search: { mode: 'include' } })),
    ]
    return { resourceType: 'Bundle', type: 'searchset', total: reports.length, entry }
  }

  /** Answers an order; null where a scenario breaks the connection. */
  async #take(url: URL, text: string): Promise<Answer | null> {
    const body = parse(text)
    const order = readFhirOrder(body)
    if (order === undefined) {
      this.book.report('', 'problem', `${textOf(body.resourceType)} → 400`)
      return { status: 400, body: outcomeOf('invalid') }
    }
    const type = textOf(body.resourceType)
    const say = (what: string, outcome: string | number): void =>
      this.book.report(order.number, what, `${type} → ${outcome}`)
    if (order.isRevoked) {
      const isCancelled = this.book.cancel(order.number)
      say('cancellation', isCancelled ? 200 : 422)
      return isCancelled
        ? this.#keep(order, body, url)
        : { status: 422, body: outcomeOf('business-rule', 'ServiceRequest.status') }
    }
    const decision = await this.book.decide(order.number, order.notes)
    if (decision === 'lost') {
      say('order', 'the connection breaks')
      return null
    }
    if (decision === 'refused') {
      say('order', 422)
      return { status: 422, body: outcomeOf('business-rule', 'ServiceRequest.code') }
    }
    const answer = this.#keep(order, body, url)
    say(decision === 'repeated' ? 'order, repeated' : 'order', answer.status)
    if (decision === 'repeated') return answer
    const { labSlug, labName } = this.#options
    const tests = findTests(order.tests, this.#options)
    const life = new OrderLife(requisitionOf(order, { labSlug, tests }), decision, labName)
    this.book.take(order.number, { order, life }, Promise.resolve())
    return answer
  }

  /** Stores the resources of an order, each once by its identifier. The answer has their paths. */
  #keep(order: FhirOrder, body: Json, { search }: URL): Answer {
    if (body.resourceType !== 'Bundle') {
      const known = this.#store.findByIdentifier('RequestGroup', search.slice(1))
      const { path, isNew } = this.#store.put({ ...body, id: known?.split('/')[1] })
      this.#keepPatient(order)
      return { status: isNew ? 201 : 200, body: this.#store.get(path) ?? {}, location: path }
    }
    const paths = new Map<string, string>()
    const entry = objectsOf(body.entry).map(({ fullUrl, resource, request }) => {
      const { method, url, ifNoneExist } = objectOf(request)
      const type = textOf(objectOf(resource).resourceType)
      const condition = textOf(ifNoneExist) || (textOf(url).split('?')[1] ?? '')
      const known = this.#store.findByIdentifier(type, condition)
      if (known !== undefined && method === 'POST') {
        paths.set(textOf(fullUrl), known)
        return { response: { status: '200 OK', location: `${known}/_history/1` } }
      }
      const stored = this.#store.put({ ...objectOf(resource), id: known?.split('/')[1] })
      paths.set(textOf(fullUrl), stored.path)
      const status = stored.isNew ? '201 Created' : '200 OK'
      return { response: { status, location: `${stored.path}/_history/${stored.version}` } }
    })
    this.#paths.set(order.number, paths)
    return { status: 200, body: { resourceType: 'Bundle', type: 'transaction-response', entry } }
  }

  /** The patient of a RequestGroup, to whom reports refer. */
  #keepPatient({ number, resources, tests }: FhirOrder): void {
    const reference = textOf(objectOf(tests[0]?.request.subject).reference)
    const { path } = this.#store.put({ ...resources.get(reference), id: `patient-${number}` })
    this.#paths.set(number, new Map([[reference, path]]))
  }

  async #send({ order, life }: TakenOrder<FhirOrder>, step: Step): Promise<void> {
    const resources = this.#resourcesOf({ order, life }, step)
    for (const resource of resources) this.#store.put(resource)
    const count = resources.filter((each) => each.resourceType === 'DiagnosticReport').length
    this.book.report(order.number, step, `${count} DiagnosticReport${count === 1 ? '' : 's'}`)
  }

  #resourcesOf({ order, life }: TakenOrder<FhirOrder>, step: Step): Json[] {
    const { number } = order
    if (step === 'duplicate') {
      return order.tests
        .map((_, index) => this.#store.get(`DiagnosticReport/${number}-${index + 1}`))
        .filter((report) => report !== undefined)
    }
    const paths: ReadonlyMap<string, string> = this.#paths.get(number) ?? new Map()
    const reference = textOf(objectOf(order.tests[0]?.request.subject).reference)
    const isOther = step === 'wrong-patient'
    const target: ReportTarget = {
      number,
      subject: isOther ? `Patient/${OTHER_PERSON.id}` : (paths.get(reference) ?? ''),
      suffix: isOther ? '-x' : '',
      basedOn: (key) => basedOnOf(order, key, paths),
      resultsBefore: (id) => this.#resultsOf(`DiagnosticReport/${id}`),
    }
    if (step === 'cancelled') {
      life.isCancelled = true
      const issued = this.#options.now()
      return order.tests.map((test, index) =>
        cancelledReportOf(test, { key: String(index + 1), issued }, target),
      )
    }
    const written = reportResources(life.report(step, this.#options.now()), target)
    return isOther ? [OTHER_PERSON, ...written] : written
  }

  #resultsOf(path: string): string[] {
    const results = objectsOf(this.#store.get(path)?.result)
    return results.map(({ reference }) => textOf(reference).replace('Observation/', ''))
  }
}

/** Someone whom no order has. */
const OTHER_PERSON = {
  resourceType: 'Patient',
  id: 'other',
  name: [{ family: 'Otherperson', given: ['Taylor'] }],
  birthDate: '1947-02-28',
  gender: 'unknown',
}

const CAPABILITIES = {
  resourceType: 'CapabilityStatement',
  status: 'active',
  kind: 'instance',
  fhirVersion: '4.0.1',
  format: ['json'],
}

/**
 * The order of a report, by the id of its ServiceRequest and by the placer number; by the number
 * alone for a test that was not ordered.
 */
function basedOnOf({ tests }: FhirOrder, key: string, paths: ReadonlyMap<string, string>): Json[] {
  const ordered = tests[Number(key) - 1]
  const [identifier] = objectsOf((ordered ?? tests[0])?.request.identifier)
  const path = ordered && paths.get(ordered.reference)
  return [{ ...(path !== undefined && { reference: path }), identifier }]
}

function outcomeOf(code: string, expression?: string): object {
  const issue = { severity: 'error', code, ...(expression && { expression: [expression] }) }
  return { resourceType: 'OperationOutcome', issue: [issue] }
}

function parse(text: string): Json {
  try {
    return objectOf(JSON.parse(text))
  } catch {
    // It is answered like every body without an order.
    return {}
  }
}
