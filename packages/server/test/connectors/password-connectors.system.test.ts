import { describeConnectors } from './connector-checks.ts'

describeConnectors(({ auth }) => auth.kind !== 'oauth')
