export { registerProviderLogos } from './provider-logos.routes.ts'
export { registerWebPages } from './web-pages.routes.ts'
