export { registerWebPages } from './web-pages.routes.ts'
