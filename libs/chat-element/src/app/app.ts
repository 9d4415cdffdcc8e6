import '../index';
