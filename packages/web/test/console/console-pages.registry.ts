import type { Page } from 'playwright-core'
import { makeConnection } from './connection-data.ts'
import type { ConsoleSite } from './console-site.ts'
import { importFile, LIBREVIEW, mapTable } from './import-files.ts'
import { askForErasure, eraseNow, makeExport, makePerson, placeHold } from './rights-data.ts'

export interface ConsolePage {
  name: string
  /** As ConsoleSite.open takes it. */
  path(site: ConsoleSite): string | Promise<string>
  /** What is done before the picture is taken. */
  prepare?(page: Page): Promise<void>
  /** How the documentation shows it. */
  inDocs?: 'light' | 'dark' | 'phone'
}

const at = (path: string) => () => path

async function findOrder(site: ConsoleSite, status: string): Promise<string> {
  const { orders } = await site.ask('GET', '/v3/orders?size=100')
  type Listed = { id: string; last_event: { status: string } }
  const order = orders.find(({ last_event }: Listed) => last_event.status.endsWith(status))
  return `orders/${order.id}`
}

async function findReport(site: ConsoleSite): Promise<string> {
  const { jobs } = await site.ask('GET', '/lab_report/v1/parser/job')
  const waiting = jobs.find(({ status }: { status: string }) => status === 'pending_review')
  return `reports/${(waiting ?? jobs[0]).id}`
}

async function findFirst(site: ConsoleSite, what: 'webhook' | 'event'): Promise<string> {
  const { data } = await site.manage('GET', `/team/${site.teamId}/sandbox/${what}`)
  return `${what}s/${data[0].id}`
}

/** Every page of the console, with what the demo team has to show there. */
export const CONSOLE_PAGES: readonly ConsolePage[] = [
  { name: 'signin', path: at('/signin') },
  { name: 'start', path: at('/start'), inDocs: 'light' },
  { name: 'overview', path: at('overview') },
  {
    name: 'search',
    path: at('overview'),
    prepare: async (page) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox').fill('ines')
      await page.getByRole('option', { name: 'Ines Walker demo-ines' }).waitFor()
    },
  },
  { name: 'people', path: at('people') },
  { name: 'person', path: ({ users }) => `people/${users.ines}`, inDocs: 'light' },
  { name: 'person-timeline', path: ({ users }) => `people/${users.omar}?tab=timeline` },
  { name: 'person-glucose', path: ({ users }) => `people/${users.omar}` },
  { name: 'person-laboratory', path: ({ users }) => `people/${users.lena}` },
  { name: 'person-in-trouble', path: ({ users }) => `people/${users.sam}` },
  { name: 'person-without-data', path: ({ users }) => `people/${users.nora}` },
  {
    name: 'import-question',
    path: async (site) => `people/${await makePerson(site)}/import`,
    prepare: async (page) => {
      await importFile(page, 'glucose.csv', LIBREVIEW)
      await page.getByRole('button', { name: 'Continue import' }).waitFor()
    },
  },
  {
    name: 'import-report',
    path: async (site) => `people/${await makePerson(site)}/import`,
    prepare: async (page) => {
      await importFile(page, 'glucose.csv', LIBREVIEW)
      await page.getByLabel('Day first, such as 31.12.2026').check()
      await page.getByRole('button', { name: 'Continue import' }).click()
      await page.getByRole('region', { name: 'Records by type' }).waitFor()
    },
  },
  {
    name: 'import-table',
    path: async (site) => `people/${await makePerson(site)}/import`,
    prepare: mapTable,
  },
  { name: 'orders', path: at('orders'), inDocs: 'light' },
  { name: 'order', path: (site) => findOrder(site, 'appointment_scheduled') },
  { name: 'order-completed', path: (site) => findOrder(site, '.completed') },
  { name: 'new-order', path: at('orders/new') },
  { name: 'catalog', path: at('catalog') },
  {
    name: 'lab-connections',
    path: async (site) => {
      await makeConnection(site)
      return 'connections'
    },
  },
  {
    name: 'lab-connection',
    path: async (site) => {
      await makeConnection(site)
      return 'connections/mtl-test'
    },
  },
  {
    name: 'lab-message',
    path: async (site) => {
      await makeConnection(site)
      return 'connections/mtl-test'
    },
    prepare: async (page) => {
      await page.getByRole('link', { name: 'Rejected' }).click()
      await page.getByRole('button', { name: 'Show' }).click()
      await page.getByRole('cell', { name: 'MUSTER^PAT' }).waitFor()
    },
  },
  { name: 'tasks', path: at('tasks') },
  { name: 'matching', path: at('matching') },
  { name: 'reports', path: at('reports') },
  { name: 'report', path: findReport, inDocs: 'light' },
  { name: 'sandbox', path: at('sandbox') },
  { name: 'webhooks', path: at('webhooks') },
  { name: 'webhook', path: (site) => findFirst(site, 'webhook'), inDocs: 'dark' },
  { name: 'events', path: at('events') },
  { name: 'event', path: (site) => findFirst(site, 'event') },
  { name: 'event-types', path: at('event-types') },
  { name: 'queries', path: at('queries'), inDocs: 'dark' },
  { name: 'continuous-queries', path: at('queries/continuous') },
  { name: 'priorities', path: at('priorities') },
  { name: 'rules', path: at('rules') },
  {
    name: 'person-rights',
    path: async (site) => {
      const userId = await makePerson(site)
      await makeExport(site, userId)
      await placeHold(site, userId)
      return `people/${userId}?tab=rights`
    },
  },
  {
    name: 'person-erasure',
    path: ({ users }) => `people/${users.ines}?tab=rights`,
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Erase person' }).click()
      await page.getByText('By table').click()
    },
  },
  {
    name: 'retention',
    path: async (site) => {
      const rules = [
        { resource: 'heartrate', days: 365 },
        { resource: 'lab_order', days: 3650 },
      ]
      await site.manage('PUT', `/team/${site.teamId}/sandbox/retention`, { rules })
      return 'rights'
    },
  },
  {
    name: 'retention-rule',
    path: at('rights'),
    prepare: async (page) => {
      await page.getByLabel('Search').fill('steps')
      await page.getByRole('button', { name: 'Change Steps' }).click()
      await page.getByLabel('Days').fill('30')
      await page.keyboard.press('Enter')
      await page.getByText(/The next run removes|No data are older/).waitFor()
    },
  },
  {
    name: 'legal-holds',
    path: async (site) => {
      await placeHold(site, await makePerson(site))
      return 'rights?tab=holds'
    },
  },
  { name: 'erasure', path: async (site) => `rights/erasures/${await askForErasure(site)}` },
  {
    name: 'erasure-receipt',
    path: async (site) => {
      const id = await askForErasure(site)
      await eraseNow(site, id)
      return `rights/erasures/${id}`
    },
  },
  { name: 'erasures', path: at('rights?tab=erasures') },
  { name: 'settings', path: at('settings') },
  { name: 'users', path: at('settings?part=users') },
  { name: 'operation', path: at('/operation') },
  { name: 'audit', path: at('/operation/audit') },
]
