import { TextEnum, Uuid } from '@salus/contracts/schema-types'
import { ENVIRONMENTS } from '../scope.ts'

/** Beginning of a path of the management API about one environment of a team. */
export const ENVIRONMENT_PATH = '/v1/org/:org_id/team/:team_id/:env'

/** Parameters of such a path. */
export const ENVIRONMENT_PARAMS = { org_id: Uuid, team_id: Uuid, env: TextEnum(ENVIRONMENTS) }
