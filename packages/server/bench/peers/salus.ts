import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { DAY_MS } from '@salus/contracts/time-units'
import { createClient } from '../client.ts'
import { FIRST_MINUTE, uploadBody } from '../heart-rate.ts'
import { startServer } from '../server-process.ts'
import { settle } from './measure-peer.ts'
import { bytesOnDisk, type DailyValues, type Peer, type PeerOptions, stopOnce } from './peer.ts'

const SIZE = fileURLToPath(new URL('salus-size.ts', import.meta.url))
const CONNECTIONS = 16

/** Salus on both embedded databases, whose processor time and memory count too. */
export async function startSalus({ directory, people, days }: PeerOptions): Promise<Peer> {
  const server = await startServer(directory)
  const client = createClient(server, CONNECTIONS)
  const users = await Promise.all(Array.from({ length: people }, () => client.makeUser()))
  // A first start loads diagnosis codes in the background.
  await settle(server.processIds())
  const daily = dailyQuery(days)
  const stop = stopOnce(client, server)
  return {
    name: 'Salus',
    processIds: server.processIds,
    prepareUpload(person, samples) {
      const body = Buffer.from(uploadBody(samples))
      return () => client.call('POST', `/v2/timeseries/${users[person]}/heartrate`, body)
    },
    async readDay(person, from) {
      const range = `start_date=${dateOf(from)}&end_date=${dateOf(from)}`
      const path = `/v2/timeseries/${users[person]}/heartrate/grouped?${range}`
      const text = await client.call('GET', path)
      return () =>
        JSON.parse(text).groups.health_connect[0].data.map(({ value }: { value: number }) => value)
    },
    async readDaily(person) {
      const path = `/aggregate/v1/user/${users[person]}/query`
      const text = await client.call('POST', path, daily)
      return () => parseDaily(text)
    },
    tidy: async () => {},
    folderBytes: () => bytesOnDisk(directory),
    async mergedBytes() {
      await stop()
      return Number(execFileSync(process.execPath, [SIZE, directory], { encoding: 'utf8' }))
    },
    stop,
  }
}

const dateOf = (time: number): string => new Date(time).toISOString().slice(0, 10)

/** Daily minimum, maximum and mean of the first days. */
function dailyQuery(days: number): string {
  const heartRate = { timeseries: 'heartrate', field: 'value' }
  return JSON.stringify({
    timeframe: {
      type: 'relative',
      anchor: dateOf(FIRST_MINUTE + (days - 1) * DAY_MS),
      past: { value: days, unit: 'day' },
    },
    queries: [
      {
        select: ['min', 'max', 'mean'].map((func) => ({ func, arg: heartRate })),
        group_by: [{ date_trunc: { value: 1, unit: 'day' }, arg: { index: 'timeseries' } }],
      },
    ],
  })
}

function parseDaily(text: string): DailyValues[] {
  const { min, max, mean }: Record<'min' | 'max' | 'mean', number[]> =
    JSON.parse(text).results[0].table
  return min.map((value, day) => [value, max[day] ?? Number.NaN, mean[day] ?? Number.NaN])
}
