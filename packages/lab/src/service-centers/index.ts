export type { ListPhlebotomyProviders } from './area-info.service.ts'
export { registerCenterImportRoutes } from './loading/center-import.routes.ts'
export { loadSampleServiceCenters } from './loading/center-loading.service.ts'
export { registerServiceCenterRoutes } from './service-centers.routes.ts'
export {
  findServiceCenter,
  listServiceCentersByCode,
  listServiceCentersNear,
  type ServiceCenter,
} from './service-centers.service.ts'
