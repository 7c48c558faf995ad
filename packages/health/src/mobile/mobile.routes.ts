import type { App } from '@salus/kernel/http/app-types'
import { keepSecret } from '@salus/kernel/http/compression'
import { registerLinkCodeExchange, registerLinkCodeRoutes } from './link-codes/link-codes.routes.ts'
import { registerSignInRoutes, registerTokenRoute } from './sessions/sessions.routes.ts'
import type { MobileSessionContext } from './sessions/sessions.service.ts'
import { registerSyncRoutes } from './sync/sync.routes.ts'

interface MobileContext extends Omit<MobileSessionContext, 'aliasesEnabled'> {
  config: { baseUrl: string | undefined; appUrl: string; aliasesEnabled: boolean }
}

/** Registers the routes for team keys and apps. The scope needs a credential. */
export function registerMobileRoutes(app: App, context: MobileContext): void {
  registerSignInRoutes(app, context)
  registerLinkCodeRoutes(app, context)
  registerSyncRoutes(app)
}

/** Registers the routes without a credential: each exchanges a token or a code. */
export async function registerPublicMobileRoutes(app: App, context: MobileContext): Promise<void> {
  keepSecret(app)
  registerLinkCodeExchange(app, context)
  const { aliasesEnabled } = context.config
  // In a context of its own: only this route accepts forms.
  await app.register(async (forms: App) => {
    registerTokenRoute(forms, { ...context, aliasesEnabled })
  })
}
