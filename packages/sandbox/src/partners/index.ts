export {
  PartnerEmulator,
  type PartnerFault,
  type PartnerFaultKind,
} from './partner-emulator.ts'
