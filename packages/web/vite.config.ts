import { defineConfig, type Plugin } from 'vite'

const POPUP = 'assets/link.js'

/**
 * Puts the script for pages of other sites into a function, so that none of its names is one of
 * their page.
 */
const hidePopupNames: Plugin = {
  name: 'hide-popup-names',
  generateBundle(_options, bundle) {
    const popup = bundle[POPUP]
    if (popup?.type !== 'chunk') return
    if (popup.imports.length > 0) throw new Error(`${POPUP} imports ${popup.imports}.`)
    popup.code = `(()=>{${popup.code.trim()}})();\n`
  },
}

/** Matches modules below folders of the console, or of packages. */
const modules = (...paths: readonly string[]): RegExp =>
  new RegExp(paths.map((path) => path.replaceAll('/', String.raw`[\\/]`)).join('|'))

/**
 * What pages of the console share, and what the page of a person shows first. Left to itself the
 * bundler makes a file of each module that several pages import, and the page of a person requests
 * thirty. No module of the link page may be in them.
 */
const CONSOLE_GROUPS = [
  {
    name: 'shared',
    test: modules(
      'src/console/api/',
      'src/console/components/(?:bar-chart|copy-button|dialog|duration|empty-state|failure|figures)',
      'src/console/components/(?:format-quantity|icons|id|instant|interpretations|page|status-badge|tabs|units|waiting)\\.',
      'src/console/shell/(?:view-state|kept-environment|navigation)',
      'src/console/people/person/(?:person-name|person-queries|resource-title|local-time)',
      'src/console/people/person/connections/connection-words',
      'node_modules/@tanstack/(?!react-virtual|virtual-core)',
      'node_modules/@mantine/.*/(?:use-clipboard|use-computed-color-scheme|noop)',
      'node_modules/use-sync-external-store/',
      'node_modules/openapi-fetch/',
      'src/time-units',
    ),
  },
  {
    name: 'person',
    test: modules(
      'src/console/charts/',
      'src/console/people/person/(?:person-page|person-frame|person-charts|glance|use-period|rights/portal)',
      'src/console/people/person/(?:laboratory/analytes|sources/source-words)\\.',
      'src/console/people/person/connections/',
      'node_modules/uplot/',
    ),
  },
].map((group) => ({ ...group, includeDependenciesRecursively: false }))

export default defineConfig({
  root: import.meta.dirname,
  // Relative, so that the pages also work below a path; see `base` in the pages.
  base: './',
  publicDir: false,
  plugins: [hidePopupNames],
  logLevel: 'warn',
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    assetsDir: 'assets/web',
    // Nothing but files: a data address would need a hole in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2022',
    // The editor of queries is that large, and loaded where one is written.
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      input: {
        link: 'link.html',
        me: 'me.html',
        console: 'console.html',
        popup: 'src/popup/link.ts',
      },
      output: {
        // Pages of other sites name this one, so its name stays.
        codeSplitting: { groups: CONSOLE_GROUPS },
        entryFileNames: ({ name }) => (name === 'popup' ? POPUP : 'assets/web/[name]-[hash].js'),
      },
      // Of "use client" in libraries, which means nothing here.
      checks: { moduleLevelDirective: false },
    },
  },
})
