/**
 * Benchmarks, run by hand: {@code mvn -q -pl engine-runtime -am test -DskipTests
 * -Dbench="SliceBench -prof gc"}. What they must not lose is kept by tests beside them.
 */
package dev.shunt.runtime.bench;
