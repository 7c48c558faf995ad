import type { App } from '@salus/kernel/http/app-types'
import { forbidStoring } from '@salus/kernel/http/security-headers'
import { registerLinkCodeExchange, registerLinkCodeRoutes } from './link-codes/link-codes.routes.ts'
import { registerSignInRoutes, registerTokenRoute } from './sessions/sessions.routes.ts'
import type { SessionContext } from './sessions/sessions.service.ts'
import { registerSyncRoutes } from './sync/sync.routes.ts'

interface MobileContext extends Omit<SessionContext, 'aliasesEnabled'> {
  config: { baseUrl: string | undefined; appUrl: string; aliasesEnabled: boolean }
}

/** What is asked with a team key, or by an app. The scope needs a credential. */
export function registerMobileRoutes(app: App, context: MobileContext): void {
  registerSignInRoutes(app, context)
  registerLinkCodeRoutes(app, context)
  registerSyncRoutes(app)
}

/** What needs no credential: it takes a token, or a code, and gives one. */
export async function registerPublicMobileRoutes(app: App, context: MobileContext): Promise<void> {
  app.addHook('onRequest', forbidStoring)
  registerLinkCodeExchange(app, context)
  const { aliasesEnabled } = context.config
  // In a scope of its own: only this route takes forms.
  await app.register(async (forms: App) => {
    registerTokenRoute(forms, { ...context, aliasesEnabled })
  })
}
