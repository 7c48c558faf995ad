import { setTimeout as delay } from 'node:timers/promises'
import { DAY_MS } from '@salus/contracts/time-units'
import { Pool } from 'undici'
import { type Client, createClient } from './client.ts'
import { uploadBody } from './heart-rate.ts'
import { median, type Row, secondsOf, thousands, times } from './measure.ts'
import { rssMegabytes, type ServerProcess, startServer } from './server-process.ts'
import { CLIENTS, SAMPLES_OF_A_REQUEST } from './upload.ts'
import {
  processorSeconds,
  startVendors,
  type VendorGrant,
  type VendorProcess,
} from './vendor-process.ts'

const DAYS = 90
const ROUNDS = 4
const SCOPES = ['heartrate']
/** Of more people the samples are not uploaded: the rate is the same. */
const MOST_UPLOADED = 5
/** The vendor lets an app ask for so much at once; the engine asks by another one. */
const BARE_APP = 'bare'

interface Round {
  samples: number
  uploaded: number
  /** Seconds. */
  vendor: number
  pull: number
  upload: number
  /**
   * Processor time of the server for the pull and for the upload, of the vendors for serving once.
   */
  serverCpu: number
  uploadCpu: number
  vendorCpu: number
  peakMegabytes: number
}

interface Sample {
  startedAt: number
  value: number
}

/**
 * Histories of new connections: from their import to the last run's success. In turns with it the
 * same pages, fetched by a bare client and thrown away, and the same samples uploaded over HTTP.
 * @param people Of all rounds together.
 */
export async function benchPull(directory: string, people: number): Promise<Row[]> {
  const vendors = await startVendors()
  const server = await startServer(`${directory}/pulling`, vendors.settings)
  const client = createClient(server, CLIENTS)
  try {
    await limitHistory(server)
    const before = rssMegabytes(server.processIds()[0] ?? 0)
    const rounds: Round[] = []
    const size = Math.max(1, Math.round(people / ROUNDS))
    // The first round warms all up.
    for (let round = 0; round <= ROUNDS; round++) {
      const length = round === 0 ? Math.min(size, MOST_UPLOADED) : size
      const accounts = Array.from({ length }, (_, index) => `r${round}-${index}+minute+live`)
      const made = await runRound(server, vendors, client, accounts)
      if (round > 0) rounds.push(made)
      console.error(`pull, round ${round}: ${JSON.stringify(made)}`)
    }
    return rowsOf(rounds, people, before)
  } finally {
    await client.close()
    await server.stop()
    await vendors.stop()
  }
}

function rowsOf(rounds: Round[], people: number, before: number): Row[] {
  const middle = (figure: (round: Round) => number) => median(rounds.map(figure))
  const rates = {
    vendor: ({ samples, vendor }: Round) => samples / vendor,
    pull: ({ samples, pull }: Round) => samples / pull,
    upload: ({ uploaded, upload }: Round) => uploaded / upload,
  }
  const ratio = (part: 'vendor' | 'upload') =>
    middle((round) => rates.pull(round) / rates[part](round))
  const rate = (part: keyof typeof rates) => `${thousands(middle(rates[part]))}/s`
  const pulledCpu = ({ samples, serverCpu }: Round) => (serverCpu / samples) * 1e6
  const uploadedCpu = (round: Round) => (round.uploadCpu / round.uploaded) * 1e6
  const vendorCpu = middle((round) => (round.vendorCpu / round.samples) * 1e6)
  const job = `history of ${people} people, ${DAYS} days of 1-minute heart rate`
  const salus = rate('pull')
  const peak = Math.max(...rounds.map(({ peakMegabytes }) => peakMegabytes))
  return [
    {
      job,
      salus,
      comparedWith: 'the same samples uploaded',
      other: rate('upload'),
      ratio: times(ratio('upload')),
      goal: '≥ 0.6',
      isMet: ratio('upload') >= 0.6,
    },
    {
      job,
      salus,
      comparedWith: 'the same pages by a bare client',
      other: rate('vendor'),
      ratio: times(ratio('vendor')),
      goal: '',
      isMet: null,
    },
    {
      job: 'processor time of a sample, databases included',
      salus: `${middle(pulledCpu).toFixed(1)} µs`,
      comparedWith: `uploaded; the vendor takes ${vendorCpu.toFixed(1)} µs`,
      other: `${middle(uploadedCpu).toFixed(1)} µs`,
      ratio: times(middle((round) => pulledCpu(round) / uploadedCpu(round))),
      goal: '',
      isMet: null,
    },
    {
      job: 'memory of it, most',
      salus: `${Math.round(peak)} MB`,
      comparedWith: 'before',
      other: `${Math.round(before)} MB`,
      ratio: '',
      goal: '',
      isMet: null,
    },
  ]
}

async function runRound(
  server: ServerProcess,
  vendors: VendorProcess,
  client: Client,
  accounts: string[],
): Promise<Round> {
  const grantsOf = (clientId: string) =>
    vendors.grant(
      accounts.map((account) => ({ account, clientId })),
      SCOPES,
    )
  const bare = await grantsOf(BARE_APP)
  let people: Sample[][] = []
  const vendorBefore = processorSeconds([vendors.pid])
  const vendor = await secondsOf(async () => {
    people = await fetchAll(vendors.url, bare)
  })
  const vendorCpu = processorSeconds([vendors.pid]) - vendorBefore
  const samples = people.reduce((sum, { length }) => sum + length, 0)

  const users = await Promise.all(accounts.map(() => client.makeUser()))
  const connections = importOf(users, await grantsOf('sandbox'))
  const memory = watchMemory(server)
  const serverBefore = processorSeconds(server.processIds())
  const pull = await secondsOf(async () => {
    await client.call('POST', '/v2/link/bulk_import', connections)
    for (const user of users) await waitForHistory(client, user)
  })
  const serverCpu = processorSeconds(server.processIds()) - serverBefore
  const peakMegabytes = memory.stop()

  const parts = await splitAmongClients(client, people.splice(0, MOST_UPLOADED))
  const uploaded = parts.reduce((sum, part) => sum + part.samples, 0)
  const uploadBefore = processorSeconds(server.processIds())
  const upload = await secondsOf(() => uploadAll(client, parts))
  const uploadCpu = processorSeconds(server.processIds()) - uploadBefore
  return { samples, uploaded, vendor, pull, upload, serverCpu, uploadCpu, vendorCpu, peakMegabytes }
}

/** So many days that all of the history are of the goal's ninety. */
async function limitHistory({ url, keys }: ServerProcess): Promise<void> {
  const path = `/v1/org/${keys.organizationId}/team_data_pull_preferences/sandbox/us`
  const oura = { default: { historical_days_to_pull: DAYS } }
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'x-management-key': keys.managementKey, 'content-type': 'application/json' },
    body: JSON.stringify({ team_ids: [keys.teamId], providers: { oura } }),
  })
  if (!response.ok) throw new Error(await response.text())
}

function importOf(users: string[], grants: VendorGrant[]): string {
  const connections = grants.map((grant, index) => ({
    user_id: users[index],
    access_token: grant.access_token,
    refresh_token: grant.refresh_token,
    provider_id: grant.accountId,
    expires_at: Math.floor(Date.now() / 1000) + 86_400,
    oauth_scopes: SCOPES,
  }))
  return JSON.stringify({ provider: 'oura', connections })
}

/**
 * The pages that the engine asks for, by as many requests at once as it has for history.
 * @returns by person
 */
async function fetchAll(url: string, grants: readonly VendorGrant[]): Promise<Sample[][]> {
  const pool = new Pool(url, { connections: 12, pipelining: 1 })
  const people: Sample[][] = []
  const waiting = [...grants]
  const work = async (): Promise<void> => {
    for (let grant = waiting.pop(); grant !== undefined; grant = waiting.pop()) {
      people.push(await fetchPagesOf(pool, grant))
    }
  }
  await Promise.all(Array.from({ length: 12 }, work))
  await pool.close()
  return people
}

async function fetchPagesOf(pool: Pool, { access_token }: VendorGrant): Promise<Sample[]> {
  const headers = { authorization: `Bearer ${access_token}` }
  const now = Date.now()
  const samples: Sample[] = []
  for (let to = now; to > now - DAYS * DAY_MS; to -= 30 * DAY_MS) {
    const range = { start_datetime: to - 30 * DAY_MS, end_datetime: to }
    for (let token: string | null = ''; token !== null; ) {
      const query = new URLSearchParams({
        start_datetime: new Date(range.start_datetime).toISOString(),
        end_datetime: new Date(range.end_datetime).toISOString(),
        ...(token !== '' && { next_token: token }),
      })
      const path = `/sandbox/providers/oura/api/v2/usercollection/heartrate?${query}`
      const response = await pool.request({ method: 'GET', path, headers })
      const page = (await response.body.json()) as {
        data: { bpm: number; timestamp: string }[]
        next_token: string | null
      }
      if (response.statusCode !== 200) throw new Error(JSON.stringify(page))
      for (const { bpm, timestamp } of page.data) {
        samples.push({ startedAt: Date.parse(timestamp), value: bpm })
      }
      token = page.next_token
    }
  }
  return samples
}

async function waitForHistory(client: Client, user: string) {
  for (;;) {
    const text = await client.call('GET', `/v2/introspect/historical_pull?user_id=${user}`)
    const status = JSON.parse(text).data[0]?.provider.oura?.pulled.heartrate?.status
    if (status === 'success') return
    if (status === 'failure') throw new Error(text)
    await delay(200)
  }
}

/** What one new person gets uploaded, oldest first. */
interface Part {
  user: string
  samples: number
  bodies: string[]
}

/**
 * As many parts as there are clients, or people, whichever is more; bodies are made before the
 * clock runs.
 */
function splitAmongClients(client: Client, people: readonly Sample[][]): Promise<Part[]> {
  const each = Math.ceil(CLIENTS / people.length)
  const parts = people.flatMap((samples) => {
    const sorted = samples.toSorted((one, other) => one.startedAt - other.startedAt)
    const size = Math.ceil(sorted.length / each)
    return Array.from({ length: each }, (_, index) =>
      sorted.slice(index * size, (index + 1) * size),
    )
  })
  return Promise.all(
    parts.map(async (samples) => {
      const bodies: string[] = []
      for (let at = 0; at < samples.length; at += SAMPLES_OF_A_REQUEST) {
        bodies.push(uploadBody(samples.slice(at, at + SAMPLES_OF_A_REQUEST)))
      }
      return { user: await client.makeUser(), samples: samples.length, bodies }
    }),
  )
}

async function uploadAll(client: Client, parts: readonly Part[]): Promise<void> {
  const waiting = [...parts]
  const work = async (): Promise<void> => {
    for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
      const path = `/v2/timeseries/${part.user}/heartrate`
      for (const body of part.bodies) await client.call('POST', path, body)
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, work))
}

function watchMemory(server: ServerProcess): { stop(): number } {
  const [pid = 0] = server.processIds()
  let peak = 0
  const look = (): void => {
    peak = Math.max(peak, rssMegabytes(pid))
  }
  const timer = setInterval(look, 200)
  return {
    stop() {
      clearInterval(timer)
      look()
      return peak
    },
  }
}
