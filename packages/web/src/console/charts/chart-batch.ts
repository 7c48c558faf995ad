import { unwrapResponse } from '../api/client.ts'
import type { Environment } from '../api/environment.ts'
import type { components } from '../api/openapi.generated.d.ts'
import type { Chart } from './join-tiles.ts'

export type ChartRequest = components['schemas']['SeveralCharts']['charts'][number]

interface Batch {
  charts: ChartRequest[]
  answers: Promise<Chart[]>
  controller: AbortController
  /** Number of charts that are still wanted. */
  wanted: number
}

/** The server takes as many charts in a request. */
const MOST_CHARTS = 50

/** Requests of this moment that are not sent yet, by environment and person. */
const open = new Map<string, Batch>()

/**
 * Loads a chart together with those that the page wants at the same moment: a request each would
 * wait for the few connections of a browser. It is cancelled when none of them is wanted any more.
 */
export async function readInBatch(
  environment: Environment,
  userId: string,
  chart: ChartRequest,
  signal: AbortSignal,
): Promise<Chart> {
  const name = [...environment.key, userId].join()
  const batch = open.get(name) ?? openBatch(name, environment, userId)
  const position = batch.charts.push(chart) - 1
  batch.wanted += 1
  if (batch.charts.length === MOST_CHARTS) open.delete(name)
  signal.addEventListener('abort', () => {
    batch.wanted -= 1
    if (batch.wanted === 0) batch.controller.abort()
  })
  const answer = (await batch.answers)[position]
  if (answer === undefined) throw new Error('The server did not return the chart.')
  return answer
}

function openBatch(name: string, { team }: Environment, userId: string): Batch {
  const controller = new AbortController()
  const charts: ChartRequest[] = []
  const answers = new Promise<void>((resolve) => setTimeout(resolve)).then(async () => {
    if (open.get(name) === batch) open.delete(name)
    const params = { path: { user_id: userId } }
    const { data } = await unwrapResponse(
      team.POST('/v2/timeseries/{user_id}/charts', {
        params,
        body: { charts },
        signal: controller.signal,
      }),
    )
    return data
  })
  const batch = { charts, answers, controller, wanted: 0 }
  open.set(name, batch)
  return batch
}
