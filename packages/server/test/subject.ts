import { series } from '@salus/contracts/series'
import { dispatchEvents } from '../src/webhooks/delivery/delivery.global.repository.ts'
import { type ConsoleSubject, makeConsoleSubject } from './console/console-subject.ts'
import {
  type ConsoleUsersSubject,
  consoleUsersPartOf,
  makeConsoleUsersSubject,
} from './console/console-users-subject.ts'
import { type DataSubject, makeDataSubject } from './data-subject.ts'
import { type FhirSubject, fhirPartOf, makeFhirSubject } from './fhir/fhir-subject.ts'
import type { Harness } from './harness.ts'
import { EXPORT_FILE, TEMPLATE } from './imports/route-cases.ts'
import { INSURANCE } from './insurance/route-cases.ts'
import { LAB_CASES, LAB_OPERATOR_CASES } from './lab-route-cases.ts'
import { type LabSubject, labPartOf, makeLabSubject } from './lab-subject.ts'
import { type LinkSubject, makeLinkSubject } from './link/link-subject.ts'
import { type MobileSubject, makeMobileSubject } from './mobile/mobile-subject.ts'
import { makePortalSubject, type PortalSubject } from './persons-rights/portal-subject.ts'
import { makeRightsSubject, type RightsSubject } from './persons-rights/rights-subject.ts'
import { ROUTE_CASES, type RouteCase, START, USER_INFO } from './route-cases.ts'
import { validUpload } from './sample-items.ts'
import { changeSettings } from './stored-events.ts'

/** Things of the first team and its organization, one of each kind that a route can name. */
export interface Subject
  extends LabSubject,
    DataSubject,
    MobileSubject,
    LinkSubject,
    ConsoleSubject,
    ConsoleUsersSubject,
    FhirSubject,
    RightsSubject,
    PortalSubject {
  userId: string
  clientUserId: string
  deviceId: string
  noteId: string
  jobId: string
  uploadId: string
  templateId: string
  addressId: string
  addressSecret: string
  organizationId: string
  /** The team that the harness calls as. */
  teamId: string
  /** A further team, for the management API. */
  managedTeamId: string
  integrationTeamId: string
  teamKeyId: string
  managementKeyId: string
  /** A webhook of the further team's sandbox, and an event that was sent to it. */
  webhookId: string
  eventId: string
}

/** Of the catalog, which everybody sees. */
const OF_CATALOG = new Set(['markerId', 'labId', 'providerId'])

/** Names and values of what belongs to the owner of a subject alone. */
export function ownIds(subject: Subject): [name: string, value: string][] {
  return Object.entries(subject).filter(([name]) => !OF_CATALOG.has(name))
}

let nextSubject = 0

/** What a subject need not have of its own, because it takes a while to make. */
interface Shared {
  subject: Subject
  hasLab: boolean
}

/**
 * Makes one of each thing; the user is connected and has a device, data and demographics. Beside a
 * shared subject it has no summaries and no completed order, and perhaps nothing of a laboratory.
 */
export async function makeSubject(harness: Harness, shared?: Shared): Promise<Subject> {
  const { call, organizationId, teamId } = harness
  const succeed = async (method: string, url: string, body?: unknown, headers?: object) => {
    const answer = await call(method, url, body, headers)
    if (answer.status >= 300) throw new Error(`${method} ${url}: ${answer.text}`)
    return answer.body
  }
  const manage = (method: string, path: string, body: object) => {
    const headers = { 'x-management-key': harness.managementKey }
    return succeed(method, `/v1/org/${organizationId}${path}`, body, headers)
  }
  nextSubject += 1
  await changeSettings(harness, { match_review_enabled: true })
  const clientUserId = `subject/${nextSubject} of 100%`
  const { user_id: userId } = await succeed('POST', '/v2/user', { client_user_id: clientUserId })
  await succeed('POST', '/v2/link/provider/manual/manual', { user_id: userId })
  await succeed('PATCH', `/v2/user/${userId}/info`, USER_INFO)
  await succeed('POST', `/v2/user/${userId}/insurance`, INSURANCE)
  const upload = validUpload(series('heartrate'), START) as { data: unknown[] }
  const withBadItem = { ...upload, data: [...upload.data, 'not an item'] }
  await succeed('POST', `/v2/timeseries/${userId}/heartrate`, withBadItem)
  const [device] = await succeed('GET', `/v2/user/${userId}/device`)
  const note = { text: `Note ${nextSubject} of Moreau`, name: 'Ines' }
  const { id: noteId } = await succeed('POST', `/v2/user/${userId}/note`, note)
  const file = { 'content-type': 'application/xml' }
  const importUrl = `/v2/user/${userId}/import/apple_health`
  const { id: jobId } = await succeed('POST', importUrl, EXPORT_FILE, file)
  await awaitOptions(harness, jobId)
  const ofUpload = { 'tus-resumable': '1.0.0', 'upload-length': `${EXPORT_FILE.length}` }
  const uploadsUrl = `/v2/user/${userId}/import/uploads`
  const { id: uploadId } = await succeed('POST', uploadsUrl, undefined, ofUpload)
  const template = { name: `Meter ${nextSubject}`, template: TEMPLATE }
  const { id: templateId } = await succeed('POST', '/v2/import/templates', template)
  const { id: addressId, url } = await succeed('POST', `/v2/user/${userId}/import_addresses`, {})
  const addressSecret = String(url).split('/').at(-1) ?? ''

  const integrationTeamId = `clinic-${nextSubject}`
  const team = { name: 'Managed', region: 'us', integration_team_id: integrationTeamId }
  const { id: managedTeamId } = await manage('POST', '/team', team)
  const newKey = { label: 'Server', team_id: managedTeamId }
  const noApproval = { sandbox: { lab_test_auto_approve: false } }
  const managedPath = `/v1/org/${organizationId}/team/${managedTeamId}`
  const byManagement = { 'x-management-key': harness.managementKey }
  await succeed('PATCH', managedPath, noApproval, byManagement)
  const { id: teamKeyId, value: managedKey } = await manage(
    'POST',
    '/team_api_keys/sandbox/us',
    newKey,
  )
  const admin = { label: 'Admin', role: 'team_admin' }
  const { id: managementKeyId } = await manage('POST', '/management_key', admin)
  const path = `/team/${managedTeamId}/sandbox/webhook`
  const { id: webhookId } = await manage('POST', path, { url: 'https://hooks.example.com/salus' })
  const example = { event_type: 'daily.data.heartrate.created' }
  const sent = await manage('POST', `${path}/${webhookId}/send_example`, example)
  await dispatchEvents(harness.database.db, harness.clock.now(), 1_000)
  return {
    userId,
    clientUserId,
    deviceId: device.id,
    noteId,
    jobId,
    uploadId,
    templateId,
    addressId,
    addressSecret,
    organizationId,
    teamId,
    managedTeamId,
    integrationTeamId,
    teamKeyId,
    managementKeyId,
    webhookId,
    eventId: sent.event_id,
    ...(await makeConsoleSubject(harness)),
    ...(shared === undefined
      ? await makeConsoleUsersSubject(harness)
      : consoleUsersPartOf(shared.subject)),
    ...(shared === undefined
      ? await makeFhirSubject(harness, managedTeamId)
      : fhirPartOf(shared.subject)),
    ...(await makeLinkSubject(harness, { userId, managedTeamId })),
    ...(await makeMobileSubject(harness, userId)),
    ...(await makePortalSubject(harness, userId)),
    ...(await makeRightsSubject(harness, {
      userId,
      managedTeamId,
      managedKey,
      hasFiles: shared === undefined,
    })),
    ...(await makeDataSubject(harness, { userId, managedTeamId, shared: shared?.subject })),
    ...(shared?.hasLab === false
      ? labPartOf(shared.subject)
      : await makeLabSubject(harness, userId, {
          teamId: managedTeamId,
          key: managedKey,
          shared: shared?.subject,
        })),
  }
}

/** Lets an import wait for options, as one does whose file leaves a question open. */
async function awaitOptions({ database }: Harness, jobId: string): Promise<void> {
  const question = { option: 'date_order', reason: 'Both orders fit.', choices: ['day_first'] }
  await database.pool.query(
    `update import_jobs set status = 'needs_options', questions = $2 where id = $1`,
    [jobId, JSON.stringify([question])],
  )
}

/**
 * Returns what a case uses up of its subject: the thing that its path names last. What is about a
 * person, a team or a session uses up the whole, and has no name here.
 */
function usedPart({ path }: RouteCase): string | undefined {
  const last = [...path.matchAll(/\{(\w+)\}/g)].at(-1)?.[1] ?? ''
  if (/^(|user_id|provider|org_id|team_id|env|region|session_id)$/.test(last)) return undefined
  // Tasks, orders, results and messages of a laboratory are about each other.
  if (/^(id|task_id|raw_result_id)$/.test(last)) return 'task'
  return /^(message_id|connection)$/.test(last) ? 'connection' : last
}

/**
 * One subject for the cases that leave it whole, and for each of the others one that has what it
 * uses up: several share one that use up different parts, because one takes a while to make.
 * @param isUsed - False where requests are only refused: then one is enough, and one of a deleted
 *   user
 */
export async function makeSubjects(
  harness: Harness,
  isUsed: boolean,
): Promise<Map<RouteCase, Subject>> {
  const shared = await makeSubject(harness)
  const subjects = new Map<RouteCase, Subject>()
  const partlyUsed: { subject: Subject; parts: Set<string> }[] = []
  for (const entry of ROUTE_CASES) {
    const { subject: wanted = 'shared' } = entry
    if (wanted === 'shared' || (wanted === 'fresh' && !isUsed)) {
      subjects.set(entry, shared)
      continue
    }
    const part = wanted === 'fresh' ? usedPart(entry) : undefined
    const left = part && partlyUsed.find(({ parts }) => !parts.has(part))
    if (part && left) {
      left.parts.add(part)
      subjects.set(entry, left.subject)
      continue
    }
    const isOfLab = LAB_CASES.includes(entry) || LAB_OPERATOR_CASES.includes(entry)
    const hasLab = isOfLab || part !== undefined
    const subject = await makeSubject(harness, { subject: shared, hasLab })
    if (part) partlyUsed.push({ subject, parts: new Set([part]) })
    if (wanted === 'deleted') await harness.call('DELETE', `/v2/user/${subject.userId}`)
    subjects.set(entry, subject)
  }
  return subjects
}
