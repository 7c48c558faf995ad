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
      input: { link: 'link.html', console: 'console.html', popup: 'src/popup/link.ts' },
      output: {
        // Pages of other sites name this one, so its name stays.
        entryFileNames: ({ name }) => (name === 'popup' ? POPUP : 'assets/web/[name]-[hash].js'),
      },
      // Of "use client" in libraries, which means nothing here.
      checks: { moduleLevelDirective: false },
    },
  },
})
