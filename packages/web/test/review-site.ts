import type { AddressInfo } from 'node:net'
import { createLabReportParser } from '@salus/lab-report-parser'
import { drawDocument } from '../../lab-report-parser/synthetic/document.ts'
import { takePicture } from '../../lab-report-parser/synthetic/pictures.ts'
import { buildApp } from '../../server/src/app.ts'
import { createHarness } from '../../server/test/harness.ts'
import { followJob, type Part, sendParts } from '../../server/test/reports/report-client.ts'

export type ReviewSite = Awaited<ReturnType<typeof startReviewSite>>

/** A whole server with its real parser, a team that reviews reports and results, and a person. */
export async function startReviewSite(folder: string) {
  const parser = createLabReportParser({
    processes: 1,
    memoryMb: 1536,
    timeoutMs: 120_000,
    idleMs: 60_000,
  })
  const harness = await createHarness({}, { labReportParser: parser })
  const app = await buildApp({ ...harness.dependencies, pagesFolder: folder })
  await app.listen({ port: Number(process.env.PORT ?? 0), host: '127.0.0.1' })
  const baseUrl = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  const set = (settings: object) =>
    harness.manage('PATCH', `/team/${harness.teamId}`, { sandbox: settings })
  await set({ lab_report_review_enabled: true, match_review_enabled: true })
  const userId = await harness.makeUser()
  await harness.startJobs()
  const upload = async (content: Buffer, type: string, isReviewed: boolean) => {
    const parts: Part[] = [
      ['user_id', userId],
      ['needs_human_review', String(isReviewed)],
      ['file', content, type],
    ]
    const sent = await sendParts(harness, parts)
    if (sent.status !== 200) throw new Error(sent.text)
    return sent.body.id as string
  }
  return {
    baseUrl,
    harness,
    userId,
    set,
    /** Uploads a report that nobody has seen, and has it read. @param as a text, a scan or a photo */
    async makeReport(seed: number, isReviewed: boolean, as: 'text' | 'scan' | 'photo' = 'text') {
      const { pdf } = await drawDocument(seed, 'tuned')
      const content = as === 'text' ? pdf : (await takePicture(pdf, as, seed)).bytes
      const id = await upload(Buffer.from(content), 'application/pdf', isReviewed)
      return followJob(harness, id)
    },
    /** Has a result come that is held. */
    async makeHeld(testCase: string): Promise<string> {
      const { call } = harness
      const { body: tests } = await call('GET', '/v3/lab_tests?collection_method=walk_in_test')
      const body = { case: testCase, order_source: 'managed', lab_test_id: tests[0].id }
      const headers = { 'x-idempotency-key': `${testCase} ${Date.now()}` }
      const { body: run, text } = await call('POST', '/v3/unmatched_result_test', body, headers)
      if (run.run_id === undefined) throw new Error(text)
      for (;;) {
        const { body: now } = await call('GET', `/v3/unmatched_result_test/${run.run_id}`)
        if (now.status === 'succeeded') return now.raw_result_id
        if (now.status === 'failed') throw new Error(JSON.stringify(now.error))
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    },
    async close() {
      await app.close()
      await parser.close()
      await harness.close()
    },
  }
}
