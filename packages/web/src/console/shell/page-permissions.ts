import { type ConsoleSession, includesAll, type Permission } from '../api/session.ts'
import { NAVIGATION } from './navigation.ts'

type PagePath = (typeof NAVIGATION)[number]['links'][number]['to']

const DATA: readonly Permission[] = [
  'people:read',
  'demographics:read',
  'health:read',
  'orders:read',
  'results:read',
]

/** What a page needs to show anything; a page that is not here is open to every role. */
const PERMISSIONS_OF_PAGES: Partial<Record<PagePath, readonly Permission[]>> = {
  '/$team/$env/people': ['people:read', 'demographics:read'],
  '/$team/$env/orders': ['orders:read'],
  '/$team/$env/catalog': ['catalog:read'],
  '/$team/$env/tasks': ['tasks:read'],
  '/$team/$env/connections': ['settings:read'],
  '/$team/$env/matching': ['results:read'],
  '/$team/$env/reports': ['results:read'],
  '/$team/$env/sandbox': ['orders:read', 'settings:read'],
  '/$team/$env/webhooks': ['webhooks:read'],
  '/$team/$env/events': DATA,
  '/$team/$env/event-types': ['webhooks:read'],
  '/$team/$env/queries': ['queries:read', 'health:read'],
  '/$team/$env/queries/continuous': ['queries:read'],
  '/$team/$env/priorities': ['connections:read'],
  '/$team/$env/rules': ['health:read', 'queries:read'],
  '/$team/$env/rights': ['rights:read'],
  '/$team/$env/settings': ['settings:read'],
}

export const maySee = (session: Pick<ConsoleSession, 'permissions'>, page: PagePath): boolean =>
  includesAll(session, PERMISSIONS_OF_PAGES[page] ?? [])

/** Returns the first page of the navigation that the role includes. */
export function firstPageOf(session: Pick<ConsoleSession, 'permissions'>): PagePath {
  const pages = NAVIGATION.flatMap(({ links }): readonly { to: PagePath }[] => links)
  return pages.find(({ to }) => maySee(session, to))?.to ?? '/$team/$env/settings'
}
