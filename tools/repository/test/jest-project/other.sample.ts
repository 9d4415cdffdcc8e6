// Runs the same tests in a second file of the same worker.
import './one.sample';
