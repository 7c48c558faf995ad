export { EVENT_CATALOG, RESERVED_EVENT_TYPES } from './event-catalog.ts'
