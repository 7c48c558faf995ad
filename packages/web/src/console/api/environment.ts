import { useParams } from '@tanstack/react-router'
import {
  type Api,
  type EnvironmentKind,
  type EnvironmentPath,
  teamApi,
  uploadAccess,
} from './client.ts'
import { useSession } from './session.ts'
import type { UploadAccess } from './upload-import-file.ts'

export interface Environment {
  orgId: string
  teamId: string
  env: EnvironmentKind
  /** The parameters of paths of the management API. */
  path: EnvironmentPath
  /** Client of the team API. */
  team: Api
  /** Access of `uploadImportFile`. */
  uploads: UploadAccess
  /**
   * Prefix of the names of queries, so that cached data of one environment are never shown in
   * another.
   */
  key: readonly [teamId: string, env: EnvironmentKind]
}

/** Returns the environment that the address names. */
export function useEnvironment(): Environment {
  const { organization } = useSession()
  const { team, env } = useParams({ strict: false }) as { team: string; env: EnvironmentKind }
  return environmentOf(organization.id, team, env)
}

/** Returns an environment of a team. */
export function environmentOf(orgId: string, team: string, env: EnvironmentKind): Environment {
  const path = { org_id: orgId, team_id: team, env }
  return {
    ...{ orgId, teamId: team, env, path },
    ...{ team: teamApi(path), uploads: uploadAccess(path), key: [team, env] as const },
  }
}
