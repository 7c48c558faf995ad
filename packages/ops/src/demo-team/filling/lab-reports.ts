import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DemoClient } from './demo-client.ts'
import type { UserIds } from './people.registry.ts'

const JOBS = '/lab_report/v1/parser/job'
const FOLDER = new URL('../../../data/demo-reports/', import.meta.url)
/** Time to wait for the parser before the team counts as filled without it. */
const PATIENCE_MS = 120_000
const LOOK_MS = 500

/**
 * Reports that users already had, from years before they joined the team; the last one waits for a
 * reviewer.
 */
const REPORTS = [
  { person: 'omar', file: 'metabolic.pdf', type: 'application/pdf', isReviewed: false },
  { person: 'ines', file: 'blood-count.pdf', type: 'application/pdf', isReviewed: false },
  { person: 'omar', file: 'photographed.jpg', type: 'image/jpeg', isReviewed: true },
] as const

/** Uploads the reports, which are parsed in the background. @returns the ids of the jobs */
export async function uploadReports(client: DemoClient, users: UserIds): Promise<string[]> {
  const ids: string[] = []
  for (const { person, file, type, isReviewed } of REPORTS) {
    const form = new FormData()
    form.set('user_id', users[person])
    form.set('needs_human_review', String(isReviewed))
    form.set('file', new Blob([await readFile(new URL(file, FOLDER))], { type }), file)
    const encoded = new Response(form)
    const headers = { 'content-type': encoded.headers.get('content-type') }
    const body = Buffer.from(await encoded.arrayBuffer())
    const { id } = await client.callTeamApi<{ id: string }>('POST', JOBS, body, headers)
    ids.push(id)
  }
  return ids
}

/**
 * Returns when all reports are parsed, or after a time limit: the team is shown without those that
 * take longer.
 */
export async function waitForReports(
  client: DemoClient,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  for (const end = performance.now() + PATIENCE_MS; performance.now() < end; ) {
    const jobs = await Promise.all(
      ids.map((id) => client.callTeamApi<{ status: string }>('GET', `${JOBS}/${id}`)),
    )
    if (jobs.every(({ status }) => status !== 'started' && status !== 'upload_pending')) return
    await sleep(LOOK_MS, undefined, { signal })
  }
}
