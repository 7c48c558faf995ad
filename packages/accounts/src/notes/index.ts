export { registerNoteRoutes } from './notes.routes.ts'
