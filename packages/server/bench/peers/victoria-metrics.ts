import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DAY_MS } from '@salus/contracts/time-units'
import { createCaller } from '../client.ts'
import { FIRST_MINUTE, type HeartRateSample } from '../heart-rate.ts'
import { freePort } from '../server-process.ts'
import { settle } from './measure-peer.ts'
import {
  bytesOnDisk,
  type DailyValues,
  type Peer,
  type PeerOptions,
  startProgram,
  stopOnce,
} from './peer.ts'

const CONNECTIONS = 16

/** VictoriaMetrics of one node with its default settings, but it keeps all years. */
export async function startVictoriaMetrics(path: string, options: PeerOptions): Promise<Peer> {
  const { directory, days } = options
  mkdirSync(directory)
  const address = `127.0.0.1:${await freePort()}`
  const url = `http://${address}`
  const flags = [`-httpListenAddr=${address}`, `-storageDataPath=${directory}`]
  const program = await startProgram(path, [...flags, '-retentionPeriod=100y'], `${url}/health`)
  const client = createCaller(url, CONNECTIONS)
  const get = (name: string, parameters: Record<string, string>) =>
    client.call('GET', `/api/v1/${name}?${new URLSearchParams(parameters)}`)
  return {
    name: 'VictoriaMetrics',
    processIds: () => [program.pid],
    prepareUpload(person, samples) {
      const body = writeLine(person, samples)
      return () => client.call('POST', '/api/v1/import', body)
    },
    async readDay(person, from) {
      const text = await get('export', {
        'match[]': selectorOf(person),
        start: secondsText(from),
        end: secondsText(from + DAY_MS - 1),
      })
      return () => JSON.parse(text).values
    },
    async readDaily(person) {
      // A step looks back from its time, that of the step included.
      const text = await get('query_range', {
        query: `rollup(${selectorOf(person)}[1d])`,
        start: secondsText(FIRST_MINUTE + DAY_MS - 1),
        end: secondsText(FIRST_MINUTE + days * DAY_MS - 1),
        step: '1d',
        nocache: '1',
      })
      return () => parseDaily(text)
    },
    // Samples can be read a second after the answer.
    tidy: () => settle([program.pid]),
    folderBytes: () => bytesOnDisk(directory),
    async mergedBytes() {
      await client.call('GET', '/internal/force_merge')
      await settle([program.pid])
      return bytesOnDisk(join(directory, 'data')) + bytesOnDisk(join(directory, 'indexdb'))
    },
    stop: stopOnce(client, program),
  }
}

function writeLine(person: number, samples: readonly HeartRateSample[]): Buffer {
  const metric = {
    ...{ __name__: 'heartrate', user: `u${person}`, provider: 'health_connect' },
    ...{ source: 'unknown', app: 'com.example.watch' },
  }
  const values = samples.map(({ value }) => value)
  const timestamps = samples.map(({ startedAt }) => startedAt)
  return Buffer.from(`${JSON.stringify({ metric, values, timestamps })}\n`)
}

const selectorOf = (person: number): string => `heartrate{user="u${person}"}`

const secondsText = (time: number): string => (time / 1000).toFixed(3)

function parseDaily(text: string): DailyValues[] {
  const series: { metric: { rollup: string }; values: [number, string][] }[] =
    JSON.parse(text).data.result
  const valuesOf = (name: string): number[] =>
    (series.find(({ metric }) => metric.rollup === name)?.values ?? []).map(([, value]) =>
      Number(value),
    )
  const [maxima, means] = [valuesOf('max'), valuesOf('avg')]
  return valuesOf('min').map((min, day) => [
    min,
    maxima[day] ?? Number.NaN,
    means[day] ?? Number.NaN,
  ])
}
