import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { enterEnvironment } from '@salus/accounts/teams'
import type {
  LabConnectionConfig,
  ReportedResult,
  ResultMessage,
} from '@salus/contracts/lab-gateway'
import { findOrder, makeRequisition } from '@salus/lab/orders'
import {
  type LabEvent,
  type ListedMarker,
  readScenario,
  type WiredLaboratory as SandboxLaboratory,
  startFhirLaboratory,
  startHl7Laboratory,
  toCompendium,
} from '@salus/sandbox/wired-lab'
import { createWiredLaboratory, type WiredLaboratory } from './wired-laboratory.ts'

/** A sandbox whose orders go to the laboratory that developers run. */
export interface RehearsedLaboratory {
  wired: WiredLaboratory
  laboratory: SandboxLaboratory
  events: LabEvent[]
  /** Places an order with a scenario, and waits until the laboratory took it. */
  order(scenario: string): Promise<OrderAtLaboratory>
  waitForResults(orderId: string, isThere: (body: Results) => boolean): Promise<Results>
  /** Waits until something is so. */
  until(isSo: () => Promise<boolean>): Promise<void>
  /** Messages to the laboratory, or those received from it. */
  listMessages(which: 'message' | 'received'): Promise<{ state: string; order_id: string }[]>
  /** The report that the simulator makes of an order, by the number of its requisition. */
  simulate(order: OrderAtLaboratory, wish?: Partial<SimulatorWish>): Promise<ResultMessage>
  close(): Promise<void>
}

export interface OrderAtLaboratory {
  id: string
  number: string
}

interface SimulatorWish {
  status: ResultMessage['status']
  interpretation: 'normal' | 'abnormal' | 'critical'
  hasMissingResults: boolean
  /** Decides what a correction corrects. */
  reportedAt: Date
  previous: ResultMessage
}

// biome-ignore lint/suspicious/noExplicitAny: the body of the API
export type Results = { results: any[]; missing_results: any[]; metadata: any }

type Profile = LabConnectionConfig['profile']

const FHIR_POLL_SECONDS = 5

export async function startRehearsal(profile: Profile): Promise<RehearsedLaboratory> {
  const wired = await createWiredLaboratory()
  const events: LabEvent[] = []
  const options = {
    listen: { host: '127.0.0.1', port: 0 },
    labSlug: 'quest',
    labName: 'Quest',
    compendium: toCompendium(await listMarkers(wired)),
    scenario: readScenario('accept'),
    paceSeconds: 0,
    now: () => wired.harness.clock.now(),
    onEvent: (event: LabEvent) => events.push(event),
  }
  const sendTo = { host: '127.0.0.1', port: wired.resultsPort }
  const laboratory =
    profile === 'fhir-r4'
      ? await startFhirLaboratory(options)
      : await startHl7Laboratory({ ...options, sendTo, zone: 'America/New_York' })
  const until = async (isSo: () => Promise<boolean>): Promise<void> => {
    const end = performance.now() + 60_000
    while (!(await isSo())) {
      assert.ok(performance.now() < end, `It did not come to that: ${JSON.stringify(events)}`)
      await pause(50)
    }
  }
  await wired.connect({ profile, ...transportsOf(profile, laboratory.port) })
  return {
    wired,
    laboratory,
    events,
    async order(scenario) {
      const { id } = await wired.place({ clinical_notes: `[sandbox: ${scenario}]` })
      // Its status may be a later one already: the first step comes at once.
      const numberOf = async () => (await wired.call('GET', `/v3/order/${id}`)).body.sample_id
      await until(async () => (await numberOf()) !== null)
      const number = await numberOf()
      assert.match(number, /^SA\d{8}$/)
      return { id, number }
    },
    async waitForResults(orderId, isThere) {
      const read = async () => (await wired.call('GET', `/v3/order/${orderId}/result`)).body
      await until(async () => {
        const body = await read()
        return body.results !== undefined && isThere(body)
      })
      return read()
    },
    until,
    async listMessages(which) {
      const headers = { 'x-management-key': wired.harness.managementKey }
      const { body } = await wired.harness.call('GET', `${wired.path}/${which}`, undefined, headers)
      return body.data
    },
    simulate: (order, wish) => simulate(wired, order, wish),
    async close() {
      await laboratory.close()
      await wired.close()
    },
  }
}

function transportsOf(profile: Profile, port: number): Partial<LabConnectionConfig> {
  if (profile !== 'fhir-r4') return { orders: { kind: 'mllp', host: '127.0.0.1', port } }
  const base = `http://127.0.0.1:${port}/fhir`
  return {
    orders: { kind: 'fhir', base },
    results: { kind: 'fhir-poll', base, every_seconds: FHIR_POLL_SECONDS },
  }
}

async function listMarkers({ call }: WiredLaboratory): Promise<ListedMarker[]> {
  const markers: ListedMarker[] = []
  for (let page = 1, pages = 1; page <= pages; page++) {
    const url = `/v3/lab_tests/markers?lab_slug=quest&size=100&page=${page}`
    const { body } = await call('GET', url)
    markers.push(...body.markers)
    pages = body.pages
  }
  return markers
}

async function simulate(
  { harness }: WiredLaboratory,
  { id, number }: OrderAtLaboratory,
  wish: Partial<SimulatorWish> = {},
): Promise<ResultMessage> {
  const { rows } = await harness.database.pool.query(
    'select environment_id from orders where id = $1',
    [id],
  )
  const scope = await enterEnvironment(harness.dependencies, rows[0].environment_id)
  assert.ok(scope)
  const row = await findOrder(scope, id)
  assert.ok(row)
  const requisition = await makeRequisition(scope, row)
  return harness.dependencies.gateways.simulator.makeReport({
    requisition: { ...requisition, orderId: number },
    status: 'final',
    interpretation: 'normal',
    resultTypes: null,
    hasMissingResults: false,
    collectedAt: row.created_at,
    reportedAt: harness.clock.now(),
    labName: 'Quest',
    ...wish,
  })
}

/** What people read of a result, sorted by its code. */
export const rowsOf = (results: readonly ReportedResult[]): unknown[][] =>
  results
    .map(({ provider_id, loinc, type, result, unit, reference_range, flag }) => [
      ...[provider_id, loinc, type, result, unit, reference_range, flag ?? ''],
    ])
    .toSorted(byCode)

/** The same of results of the API. */
export const shownRows = ({ results }: Results): unknown[][] =>
  results
    .map((each) => [
      ...[each.provider_id, each.loinc, each.type, each.result, each.unit, each.reference_range],
      each.source_interpretation,
    ])
    .toSorted(byCode)

const byCode = (one: unknown[], other: unknown[]): number =>
  String(one[0]).localeCompare(String(other[0]))
