// Those tests of the console that are campaigns; the others are in console.test.ts.
import './console.test.ts'
