import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A site of a team on an origin of its own, whose page opens the link page in a pop-up. */
export interface ForeignSite {
  origin: string
  /** Address of its page, which opens a link web URL. */
  pageFor(linkWebUrl: string, options?: string): string
  close(): Promise<void>
}

/** Reports come into `reports`, in the order of the callbacks. */
const pageOf = (script: string): string => `<!doctype html><html lang="en"><title>Team</title>
<script>const namesBefore = new Set(Object.getOwnPropertyNames(window))</script>
<script src="${script}"></script>
<h1>The app of the team</h1><button>Connect</button>
<script>
  const addedNames = Object.getOwnPropertyNames(window).filter((name) => !namesBefore.has(name))
  window.reports = []
  const query = new URLSearchParams(location.search)
  document.querySelector('button').onclick = () => {
    window.link = SalusLink.open({
      url: async () => query.get('link'),
      onSuccess: (outcome) => reports.push(['success', outcome.provider]),
      onError: (outcome) => reports.push(['error', outcome.error_type, outcome.provider]),
      onClose: () => reports.push(['close']),
      ...JSON.parse(query.get('options') ?? '{}'),
    })
  }
</script></html>`

/** @param host An address of this machine that no other site of the test has. */
export async function startForeignSite(salusUrl: string, host: string): Promise<ForeignSite> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    response.end(pageOf(`${salusUrl}/assets/link.js`))
  })
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  const origin = `http://${host}:${(server.address() as AddressInfo).port}`
  return {
    origin,
    pageFor: (link, options = '{}') => `${origin}/?${new URLSearchParams({ link, options })}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
