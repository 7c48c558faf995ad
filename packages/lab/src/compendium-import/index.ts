export { registerCompendiumImportRoutes } from './compendium-import.routes.ts'
