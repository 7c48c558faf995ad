export { registerDiagnosisRoutes } from './diagnoses/diagnoses.routes.ts'
export { checkDiagnosisCodes, describeDiagnosisCodes } from './diagnoses/diagnoses.service.ts'
export { registerDiagnosisImportRoutes } from './diagnoses/loading/diagnosis-import.routes.ts'
export {
  addStartingDiagnosisCodes,
  diagnosisJobs,
  loadStartingDiagnosisCodes,
} from './diagnoses/loading/diagnosis-loading.service.ts'
export { registerInsuranceRoutes } from './insurance.routes.ts'
export { registerPayorImportRoutes } from './payors/loading/payors-import.routes.ts'
export { loadStartingPayors } from './payors/loading/payors-loading.service.ts'
export {
  AccessNotes,
  AddressInput,
  GENDERS,
  GuarantorDetails,
  GuarantorInput,
  RELATIONSHIPS,
  SecondLine,
  Text,
  ZIP_PATTERN,
  Zip,
} from './people.schema.ts'
export {
  readAddress,
  readBirthDate,
  readGender,
  readGuarantor,
  readPhone,
  refuseField,
  requireState,
} from './people.ts'
export { listPayorsOfUser, listPolicies } from './policies/policies.repository.ts'
export { MEMBER_ID_LENGTH } from './policies/policies.schema.ts'
export {
  addPolicy,
  findBillingPolicy,
  findPolicy,
  isMedicarePolicy,
} from './policies/policies.service.ts'
