import { registerNoteRoutes } from '@salus/accounts/notes'
import type { EventType } from '@salus/contracts/event-type'
import type { App } from '@salus/kernel/http/app-types'
import { registerPersonMissingEventRoutes } from '../missing-events/index.ts'
import { registerGlanceRoutes } from './glance.routes.ts'
import { registerTimelineRoutes } from './timeline.routes.ts'

interface PeopleOptions {
  catalog: readonly EventType[]
  config: { baseUrl: string | undefined; queryMaxSourceRows: number; eventRetentionDays: number }
}

/** Registers what the page of a person shows of all domains together, and notes about people. */
export function registerPersonPageRoutes(app: App, options: PeopleOptions): void {
  registerGlanceRoutes(app, options)
  registerTimelineRoutes(app)
  registerNoteRoutes(app)
  registerPersonMissingEventRoutes(app, options)
}
