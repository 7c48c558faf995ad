import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DAY_MS } from '@salus/contracts/time-units'
import { createCaller } from '../client.ts'
import { FIRST_MINUTE, type HeartRateSample } from '../heart-rate.ts'
import { freePort } from '../server-process.ts'
import { settle } from './measure-peer.ts'
import {
  bytesOnDisk,
  type Peer,
  type PeerOptions,
  type Program,
  startProgram,
  stopOnce,
} from './peer.ts'

const CONNECTIONS = 16

/** Snapshots and full compactions of idle shards at once, instead of after ten minutes and 4 h. */
const EAGER = {
  INFLUXDB_DATA_CACHE_SNAPSHOT_WRITE_COLD_DURATION: '1s',
  INFLUXDB_DATA_COMPACT_FULL_WRITE_COLD_DURATION: '1s',
}

/** InfluxDB 1.x with its default settings, without logs of requests and metrics of its own. */
export async function startInfluxDb(path: string, options: PeerOptions): Promise<Peer> {
  const { directory, days } = options
  mkdirSync(directory)
  const { program, url } = await start(path, directory)
  const client = createCaller(url, CONNECTIONS)
  await client.call('POST', `/query?${new URLSearchParams({ q: 'create database salus' })}`)
  const query = (q: string) =>
    client.call('GET', `/query?${new URLSearchParams({ db: 'salus', epoch: 'ms', q })}`)
  const stop = stopOnce(client, program)
  const until = FIRST_MINUTE + days * DAY_MS
  return {
    name: 'InfluxDB',
    processIds: () => [program.pid],
    prepareUpload(person, samples) {
      const body = writeLines(person, samples)
      return () => client.call('POST', '/write?db=salus&precision=ms', body)
    },
    async readDay(person, from) {
      const text = await query(
        `select value from heartrate where "user" = 'u${person}'
          and time >= ${from}ms and time < ${from + DAY_MS}ms`,
      )
      return () => rowsOf(text).map(([, value = Number.NaN]) => value)
    },
    async readDaily(person) {
      const text = await query(
        `select min(value), max(value), mean(value) from heartrate where "user" = 'u${person}'
          and time >= ${FIRST_MINUTE}ms and time < ${until}ms group by time(1d)`,
      )
      const none = Number.NaN
      return () => rowsOf(text).map(([, min = none, max = none, mean = none]) => [min, max, mean])
    },
    tidy: async () => {},
    folderBytes: () => bytesOnDisk(directory),
    async mergedBytes() {
      await stop()
      const { program: eager } = await start(path, directory, EAGER)
      await settle([eager.pid])
      const bytes = bytesOnDisk(join(directory, 'data')) + bytesOnDisk(join(directory, 'wal'))
      await eager.stop()
      return bytes
    },
    stop,
  }
}

function writeLines(person: number, samples: readonly HeartRateSample[]): Buffer {
  const tags = `user=u${person},provider=health_connect,source=unknown,app=com.example.watch`
  const lines = samples.map(({ startedAt, value }) => {
    return `heartrate,${tags} value=${value} ${startedAt}`
  })
  return Buffer.from(lines.join('\n'))
}

async function start(
  path: string,
  directory: string,
  settings: Record<string, string> = {},
): Promise<{ program: Program; url: string }> {
  const address = `127.0.0.1:${await freePort()}`
  const url = `http://${address}`
  // Without a file, the one of the system would give its folders.
  const program = await startProgram(path, ['run', '-config', '/dev/null'], `${url}/ping`, {
    INFLUXDB_BIND_ADDRESS: `127.0.0.1:${await freePort()}`,
    INFLUXDB_HTTP_BIND_ADDRESS: address,
    INFLUXDB_META_DIR: join(directory, 'meta'),
    INFLUXDB_DATA_DIR: join(directory, 'data'),
    INFLUXDB_DATA_WAL_DIR: join(directory, 'wal'),
    INFLUXDB_REPORTING_DISABLED: 'true',
    INFLUXDB_HTTP_LOG_ENABLED: 'false',
    INFLUXDB_DATA_QUERY_LOG_ENABLED: 'false',
    INFLUXDB_MONITOR_STORE_ENABLED: 'false',
    ...settings,
  })
  return { program, url }
}

const rowsOf = (text: string): number[][] => JSON.parse(text).results[0].series[0].values
