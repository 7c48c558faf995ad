export { registerDiagnosisRoutes } from './diagnoses/diagnoses.routes.ts'
export { checkDiagnosisCodes, describeDiagnosisCodes } from './diagnoses/diagnoses.service.ts'
export { registerDiagnosisLoadingRoutes } from './diagnoses/loading/diagnosis-loading.routes.ts'
export { loadStartingDiagnosisCodes } from './diagnoses/loading/diagnosis-loading.service.ts'
